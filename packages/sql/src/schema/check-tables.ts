import type { DialectName } from "../dialect/dialect.ts";
import { isMismatch } from "../table/is-mismatch.ts";
import type { Found } from "../table/found.ts";
import { fullName, type NamedTable } from "../table/resolve-tables.ts";
import type { LinkColumns } from "../table/table.ts";

/** Throws an error that lists every missing table and column, and every column with values of another kind. */
export function checkTables(
  dialect: DialectName,
  named: readonly NamedTable[],
  links: ReadonlyMap<string, LinkColumns>,
  found: Found,
): void {
  const mistakes: string[] = [];
  const check = (what: string, table: string, columns: Iterable<string>): void => {
    const there = found.get(table);
    if (there === undefined) mistakes.push(`${what}: table '${table}' does not exist.`);
    else
      for (const column of columns)
        if (!there.has(column)) mistakes.push(`${what}: table '${table}' has no column '${column}'.`);
  };
  for (const table of named) {
    check(table.resource.name, fullName(table), table.columns.values());
    mistakes.push(...mismatches(dialect, table, found));
  }
  for (const link of links.values()) check(link.through.name, fullName(link), [...link.from, ...link.to]);
  if (mistakes.length === 0) return;
  const fix =
    "Run `bifocal db apply` (or set `autoCreate: true`). If the tables have other names, set `tables` or `naming`. If a type differs, change the schema of the field.";
  throw new Error(`The database does not match the resources.\n- ${mistakes.join("\n- ")}\n${fix}`);
}

function* mismatches(dialect: DialectName, table: NamedTable, found: Found): Generator<string> {
  const { resource, columns } = table;
  const there = found.get(fullName(table));
  for (const { name, type } of resource.fields.values()) {
    const column = columns.get(name) as string;
    const declared = there?.get(column)?.declared;
    if (declared !== undefined && isMismatch(dialect, type.kind, declared))
      yield `${resource.name}: field '${name}' is of type ${type.kind}, but column '${column}' of table '${fullName(table)}' is ${declared}.`;
  }
}
