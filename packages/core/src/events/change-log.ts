import type { EventDraft } from "./change-event.ts";

/** Number of changes per read. */
export const PAGE = 500;

/**
 * The ordered log of committed changes in a store. Offsets are consecutive integers. A reader that has read up to an
 * offset never misses an earlier change.
 */
export interface ChangeLog {
  /** Assigns an offset to each committed change. Rejects if the store is unavailable. */
  advance(): Promise<LogHead>;
  /** Reads the changes after an offset, in order. */
  read(query: LogQuery): Promise<LogPage>;
  /** Deletes changes that exceed the store's retention. Changes without an offset are kept. */
  prune(): Promise<void>;
}

export interface LogHead {
  /**
   * The name of the log (`createLogName`). The name changes if the log starts over, for example after restoring a
   * backup. It is never sent to clients.
   */
  readonly name: string;
  /** The offset of the last change, or 0 if the log is empty. */
  readonly offset: number;
  /** Whether this call assigned any offsets. */
  readonly grew: boolean;
}

export interface LogQuery {
  readonly after: number;
  readonly limit: number;
  /** Only changes of this resource. Default: all resources. */
  readonly resource?: string | undefined;
}

/** `lost` means that changes after the offset are no longer stored. */
export type LogPage =
  | {
      readonly kind: "page";
      readonly changes: readonly LoggedChange[];
      /** Changes up to this offset were returned. */
      readonly offset: number;
    }
  | { readonly kind: "lost" };

export interface LoggedChange {
  readonly offset: number;
  readonly draft: EventDraft;
}
