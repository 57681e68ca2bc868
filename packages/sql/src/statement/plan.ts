import type { Sql } from "../dialect/dialect.ts";

/** A statement as it was built, and how its answer is read. */
export interface Plan<Read> {
  readonly statement: Sql;
  readonly read: Read;
  /** Its last column has a list for each row, of as many rows as it answers. */
  readonly isInColumns?: boolean;
}
