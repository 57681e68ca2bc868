import type { Principal } from "../../definition/principal.ts";
import type { AccessTable, AccessTableOptions } from "../../model/access/access-table.ts";

export interface ShownAccess {
  readonly table: AccessTable;
  /** The command that prints the whole table for the same callers, except the caller of the page. */
  readonly command: string;
}

/** Evaluates the access rules for a page, also for its caller. */
export type ReadAccess = (caller: Principal | null, wanted: AccessTableOptions) => Promise<ShownAccess>;
