import type { Dialect } from "../dialect/dialect.ts";
import { columnOf, type Table } from "../table/table.ts";
import type { WantedColumn } from "./wanted.ts";

type Named = Pick<Dialect, "name">;

/** Returns the column that is null in living rows, for partial unique indexes; undefined if all rows count. */
export function partialOn({ name }: Named, table: Table): string | undefined {
  return name === "mysql" ? undefined : deletedColumn(table);
}

/**
 * MySQL and MariaDB have no partial indexes. There, unique indexes end with this column, which is 1 in living rows and
 * null in deleted ones, and nulls never collide.
 */
export function livingColumn({ name }: Named, table: Table): WantedColumn | undefined {
  const column = deletedColumn(table);
  if (name !== "mysql" || column === undefined || table.resource.unique.length === 0) return undefined;
  const computed = `if(\`${column.replaceAll("`", "``")}\` is null, 1, null)`;
  return { name: livingName(column), type: "int", nullable: true, isCounted: false, computed };
}

/** Returns the columns of each unique index of a table. */
export function uniqueGroups(dialect: Named, table: Table): readonly (readonly string[])[] {
  const column = deletedColumn(table);
  const more = dialect.name === "mysql" && column !== undefined ? [livingName(column)] : [];
  return table.resource.unique.map((fields) => [...fields.map((field) => columnOf(table, field).name), ...more]);
}

function livingName(column: string): string {
  return `${column}_living`;
}

function deletedColumn(table: Table): string | undefined {
  const { softDelete } = table.resource;
  return softDelete === undefined ? undefined : columnOf(table, softDelete).name;
}
