import type { Found } from "../table/found.ts";
import { fullName, type NamedTable } from "../table/resolve-tables.ts";
import type { LinkColumns } from "../table/table.ts";

/** Throws with every table and column that is not there. */
export function checkTables(named: readonly NamedTable[], links: ReadonlyMap<string, LinkColumns>, found: Found): void {
  const mistakes: string[] = [];
  const check = (what: string, table: string, columns: Iterable<string>): void => {
    const there = found.get(table);
    if (there === undefined) mistakes.push(`${what}: there is no table '${table}'.`);
    else
      for (const column of columns)
        if (!there.has(column)) mistakes.push(`${what}: '${table}' has no column '${column}'.`);
  };
  for (const table of named) check(table.resource.name, fullName(table), table.columns.values());
  for (const link of links.values()) check(link.through.name, fullName(link), [link.from, link.to]);
  if (mistakes.length === 0) return;
  const fix = "Make them with `bifocal db apply` (or `autoCreate: true`), or say their names by `tables` and `naming`.";
  throw new Error(`The database does not have what the resources need.\n- ${mistakes.join("\n- ")}\n${fix}`);
}
