import type { Filter } from "@bifocal/core/store";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { isAlongRelations } from "./filter.ts";

/** A statement before compilation, and the function that reads its result. */
export interface StatementPlan<Read> {
  readonly statement: Sql;
  readonly read: Read;
  /** Whether `read` needs each value of a row only as a number. */
  readonly numbers?: readonly boolean[];
  /** The statement to use if this one is slow. */
  readonly thorough?: Sql;
}

/** Plans a read with filters, with an alternative for slow statements if they need one. */
export function planRead<Read>(
  dialect: Dialect,
  filters: readonly (Filter | undefined)[],
  plan: (dialect: Dialect) => StatementPlan<Read>,
): StatementPlan<Read> {
  const first = plan(dialect);
  if (dialect.thorough === undefined || !filters.some(isAlongRelations)) return first;
  return { ...first, thorough: plan(dialect.thorough).statement };
}
