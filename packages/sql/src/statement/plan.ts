import type { Sql } from "../dialect/dialect.ts";

/** A statement as it was built, and how its answer is read. */
export interface Plan<Read> {
  readonly statement: Sql;
  readonly read: Read;
}
