import type { Filter } from "@bifocal/core/store";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { isAlongRelations } from "./filter.ts";

/** A statement as it was built, and how its answer is read. */
export interface Plan<Read> {
  readonly statement: Sql;
  readonly read: Read;
  /** Its last column has a list for each row, of as many rows as it answers. */
  readonly isInColumns?: boolean;
  /** The statement that takes its place where it takes long. */
  readonly thorough?: Sql;
}

/** A plan of a read by some filters, and what takes its place where it takes long. */
export function planRead<Read>(
  dialect: Dialect,
  filters: readonly (Filter | undefined)[],
  plan: (dialect: Dialect) => Plan<Read>,
): Plan<Read> {
  const first = plan(dialect);
  if (dialect.thorough === undefined || !filters.some(isAlongRelations)) return first;
  return { ...first, thorough: plan(dialect.thorough).statement };
}
