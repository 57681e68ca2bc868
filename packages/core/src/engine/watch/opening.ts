import type { Change, ChangeStream } from "../../operation/outcome.ts";

/** The initial rows of a stream, and their versions by key. */
export interface Current {
  readonly changes: readonly Change[];
  readonly versions: Map<string, string>;
}

/** A watcher whose rights are still being checked. Its messages are already collected, so that no change is missed. */
export interface Opening {
  readonly watcher: ChangeStream & { readonly start: (current: Current) => void };
  /**
   * Settles when all earlier commits have been processed; undefined if they have. Rejects if the data is unreachable.
   */
  readonly ready: Promise<void> | undefined;
  /** Starts delivery. `isPersonal`: a rule depended on the caller, so results aren't shared with other principals. */
  readonly start: (isPersonal: boolean) => void;
}
