import type { Json } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Sql } from "../dialect/dialect.ts";
import type { Build } from "./scope.ts";
import type { SortColumn } from "./sort.ts";
import { flip } from "./sort.ts";

/**
 * Returns the condition for rows after a position in a sorted list. Missing values sort last in ascending and first in
 * descending order. Which values of the position are missing is known when the statement is built. Takes a value for
 * each term, including missing ones.
 */
export function behind(build: Build, columns: readonly SortColumn[], place: readonly Json[]): Sql {
  const { dialect, slots } = build;
  const operands = columns.map(({ column }) => {
    const index = slots.next();
    return (): Sql => dialect.operand(column, index);
  });
  const isNull = place.map((value) => value === null);
  if (isRowValue(build, columns, isNull)) return rowValue(columns, operands);
  const parts = columns.map((term, at) => {
    const ties = columns
      .slice(0, at)
      .map((earlier, index) => tie(earlier, isNull[index] === true, operands[index] as () => Sql));
    const beyond = beyondOne(term, isNull[at] === true, operands[at] as () => Sql);
    return beyond === undefined ? undefined : sql`(${sql.join([...ties, beyond], sql` and `)})`;
  });
  const possible = parts.filter((part) => part !== undefined);
  if (possible.length === 0) return sql`1 = 0`;
  const all = sql`(${sql.join(possible, sql` or `)})`;
  const bound = firstBound(columns[0] as SortColumn, isNull[0] === true, operands[0] as () => Sql);
  // Adds a range at which an index scan can start. The remaining condition is checked for each row.
  return bound === undefined || columns.length === 1 ? all : sql`(${bound} and ${all})`;
}

/** Returns the condition for rows before a position: those after it in the opposite order. */
export function before(build: Build, columns: readonly SortColumn[], place: readonly Json[]): Sql {
  return behind(build, flip(columns), place);
}

function tie({ value, ordered }: SortColumn, isNull: boolean, operand: () => Sql): Sql {
  return isNull ? sql`${value} is null` : sql`${ordered} = ${operand()}`;
}

/**
 * Returns the condition for rows after one value of a term. In ascending order, no row comes after a missing value.
 */
function beyondOne(
  { value, ordered, descending, nullable }: SortColumn,
  isNull: boolean,
  operand: () => Sql,
): Sql | undefined {
  if (isNull) return descending ? sql`${value} is not null` : undefined;
  if (descending) return sql`${ordered} < ${operand()}`;
  return nullable ? sql`(${ordered} > ${operand()} or ${value} is null)` : sql`${ordered} > ${operand()}`;
}

function firstBound(
  { ordered, descending, nullable }: SortColumn,
  isNull: boolean,
  operand: () => Sql,
): Sql | undefined {
  if (isNull || (nullable && !descending)) return undefined;
  return descending ? sql`${ordered} <= ${operand()}` : sql`${ordered} >= ${operand()}`;
}

/**
 * If no value can be missing and all terms have the same direction, a row comparison is equivalent and can use an
 * index.
 */
function isRowValue({ dialect }: Build, columns: readonly SortColumn[], isNull: readonly boolean[]): boolean {
  if (!dialect.comparesRows || columns.length < 2) return false;
  const [first] = columns;
  return columns.every(
    ({ nullable, descending }, at) => !nullable && isNull[at] !== true && descending === first?.descending,
  );
}

function rowValue(columns: readonly SortColumn[], operands: readonly (() => Sql)[]): Sql {
  const row = sql.join(columns.map(({ ordered }) => ordered));
  const place = sql.join(operands.map((operand) => operand()));
  return columns[0]?.descending === true ? sql`(${row}) < (${place})` : sql`(${row}) > (${place})`;
}
