import { sql } from "kysely";
import type { Connection } from "../../database.ts";
import type {
  FoundForeignKey,
  FoundIndex,
  FoundSchema,
  FoundTable,
  FoundTableColumn,
} from "../../schema/found-table.ts";
import { tableName } from "../../statement/scope.ts";
import { splitName } from "../../table/naming.ts";
import { ask } from "../ask.ts";
import type { Dialect, Sql } from "../dialect.ts";

type Row = readonly unknown[];

/** Reads the parts of the existing tables that a migration plan compares. */
export async function readMysqlSchema(
  connection: Connection,
  dialect: Dialect,
  names: readonly string[],
): Promise<FoundSchema> {
  const found = new Map<string, FoundTable>();
  for (const full of names) {
    const { schema, name } = splitName(full);
    const rows = (statement: Sql): Promise<readonly Row[]> => ask(connection, dialect, statement);
    const owner = schema === undefined ? sql`database()` : sql`${schema}`;
    const columns = await rows(columnsOf(owner, name));
    if (columns.length === 0) continue;
    const indexes = groupIndexes(await rows(indexesOf(owner, name)));
    const [row] = await rows(sql`select 1 from ${tableName({ schema, name })} limit 1`);
    found.set(full, {
      schema,
      name,
      columns: new Map(columns.map((one) => [String(one[0]), toColumn(one)])),
      primaryKey: indexes.find((index) => index.name === "PRIMARY")?.columns ?? [],
      primaryKeyName: undefined,
      uniques: indexes.filter((index) => index.isUnique && index.name !== "PRIMARY"),
      indexes: indexes.filter((index) => !index.isUnique),
      foreignKeys: groupForeignKeys(await rows(foreignKeysOf(owner, name))),
      peculiarities: [],
      companions: [],
      isEmpty: row === undefined,
    });
  }
  return found;
}

function columnsOf(owner: Sql, name: string): Sql {
  return sql`select column_name as c0, column_type as c1, is_nullable = 'YES' as c2, extra as c3, collation_name as c4,
    column_default is not null as c5
    from information_schema.columns where table_schema = ${owner} and table_name = ${name} order by ordinal_position`;
}

function indexesOf(owner: Sql, name: string): Sql {
  return sql`select index_name as c0, column_name as c1, non_unique as c2, index_type = 'FULLTEXT' as c3 from information_schema.statistics
    where table_schema = ${owner} and table_name = ${name} order by index_name, seq_in_index`;
}

function foreignKeysOf(owner: Sql, name: string): Sql {
  return sql`select k.constraint_name as c0, k.column_name as c1, k.referenced_column_name as c2,
    if(k.referenced_table_schema = ${owner}, k.referenced_table_name,
      concat(k.referenced_table_schema, '.', k.referenced_table_name)) as c3, r.delete_rule as c4
    from information_schema.key_column_usage k join information_schema.referential_constraints r
    on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name
    where k.table_schema = ${owner} and k.table_name = ${name} and k.referenced_table_name is not null
    order by k.constraint_name, k.ordinal_position`;
}

/** The collations that `declare` gives to text and JSON. No default collation has these names. */
const OWN_COLLATIONS: ReadonlySet<string> = new Set(["utf8mb4_nopad_bin", "utf8mb4_0900_bin", "utf8mb4_bin"]);

function toColumn([name, declared, nullable, extra, collation, hasDefault]: Row): FoundTableColumn {
  // MariaDB and old versions of MySQL include the display width in the type.
  const type = String(declared).replace(/^((?:small|medium|big)?int)\(\d+\)/, "$1");
  const isText = typeof collation === "string";
  const isOwn = isText && OWN_COLLATIONS.has(collation);
  const isCounted = /auto_increment/i.test(String(extra));
  return {
    name: String(name),
    type: isOwn ? `${type} character set utf8mb4 collate ${collation}` : type,
    nullable: Number(nullable) === 1,
    isCounted,
    isForeign: isText && !isOwn,
    isComputed: /generated/i.test(String(extra)) && !/default_generated/i.test(String(extra)),
    hasDefault: Number(hasDefault) === 1,
  };
}

type Index = FoundIndex & { readonly isUnique: boolean; readonly columns: string[] };

function groupIndexes(rows: readonly Row[]): readonly Index[] {
  const all = new Map<string, Index>();
  for (const [name, column, nonUnique, isFullText] of rows) {
    const index = all.get(String(name)) ?? {
      name: String(name),
      columns: [],
      isConstraint: false,
      isUnique: Number(nonUnique) === 0,
      ...(Number(isFullText) === 1 ? { method: "fulltext" } : {}),
    };
    all.set(String(name), index);
    index.columns.push(String(column));
  }
  return [...all.values()];
}

function groupForeignKeys(rows: readonly Row[]): readonly FoundForeignKey[] {
  const all = new Map<string, FoundForeignKey & { columns: string[]; targetColumns: string[] }>();
  for (const [name, column, targetColumn, target, onDelete] of rows) {
    const key = all.get(String(name)) ?? {
      name: String(name),
      columns: [],
      target: String(target),
      targetColumns: [],
      cascades: onDelete === "CASCADE",
    };
    all.set(String(name), key);
    key.columns.push(String(column));
    key.targetColumns.push(String(targetColumn));
  }
  return [...all.values()];
}
