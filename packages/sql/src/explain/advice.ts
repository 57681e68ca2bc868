import type { DialectName } from "../dialect/dialect.ts";

/** A step of a database's query plan that reads a table row by row. */
export interface Scan {
  readonly table: string;
  /** Number of rows that the database expects; `undefined` if it gives no estimate. */
  readonly rows: number | undefined;
  /** The condition or the order that an index could serve, as the database describes it. */
  readonly why: string | undefined;
}

interface PlanNode {
  readonly [key: string]: unknown;
}

/** Returns the scans in a plan of PostgreSQL (`explain (format json)`). */
export function postgresScans(plan: unknown): readonly Scan[] {
  const scans: Scan[] = [];
  const visit = (node: PlanNode, sortKey: string | undefined): void => {
    const key = node["Node Type"] === "Sort" ? String((node["Sort Key"] as readonly string[]).join(", ")) : sortKey;
    if (node["Node Type"] === "Seq Scan") {
      const filter = node["Filter"];
      const rows = Number(node["Plan Rows"]);
      const why = typeof filter === "string" ? filter : key && `order by ${key}`;
      scans.push({ table: String(node["Relation Name"]), rows: Number.isFinite(rows) ? rows : undefined, why });
    }
    for (const inner of (node["Plans"] ?? []) as readonly PlanNode[]) visit(inner, key);
  };
  const [top] = plan as readonly { readonly Plan: PlanNode }[];
  if (top !== undefined) visit(top.Plan, undefined);
  return scans;
}

/** Returns the scans in the lines of SQLite's `explain query plan`, without those of the store's own tables. */
export function sqliteScans(lines: readonly string[]): readonly Scan[] {
  const sorts = lines.some((line) => line.startsWith("USE TEMP B-TREE FOR ORDER BY"));
  return lines.flatMap((line) => {
    const [, table] = /^SCAN (\S+)$/.exec(line) ?? [];
    if (table === undefined || table === "json_each" || table.startsWith("bifocal_")) return [];
    return [{ table, rows: undefined, why: sorts ? "its order" : undefined }];
  });
}

/** Returns the scans in the rows of `explain` of MySQL and MariaDB. */
export function mysqlScans(
  rows: readonly (readonly [table: string, type: string, rows: number, extra: string])[],
): readonly Scan[] {
  return rows.flatMap(([table, type, expected, extra]) =>
    type === "ALL" && !table.startsWith("<") ? [{ table, rows: expected, why: extra === "" ? undefined : extra }] : [],
  );
}

/** Tables with fewer rows are read faster without an index. */
const WORTH = 1_000;

/** Returns a recommendation for each scan that an index would avoid. */
export function advise(name: DialectName, scans: readonly Scan[]): readonly string[] {
  return scans
    .filter(({ rows, why }) => why !== undefined && (rows === undefined || rows >= WORTH || name === "postgres"))
    .map(({ table, rows, why }) => {
      const size = rows === undefined ? "" : ` (about ${rows.toLocaleString("en")} of them match)`;
      return `'${table}' is scanned row by row${size} for ${why}. Add an index on those columns, followed by the key.`;
    });
}
