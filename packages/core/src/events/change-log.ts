import type { EventDraft } from "./change-event.ts";

/** Changes that are read at once. */
export const PAGE = 500;

/**
 * Where a store keeps what was committed, in one order. Places are whole numbers that grow by one from change to change;
 * whoever has read up to a place never finds another change before it.
 */
export interface ChangeLog {
  /** Gives each change that is committed by now its place. Rejects where the data is out of reach. */
  advance(): Promise<LogHead>;
  /** Reads what is behind a place, in order. */
  read(query: LogQuery): Promise<LogPage>;
  /** Forgets what is older than the store keeps it, and nothing that has no place yet. */
  prune(): Promise<void>;
}

export interface LogHead {
  /** Names the log (`createLogName`): one that was begun anew, as after a restored backup, has another name. Told nobody. */
  readonly name: string;
  /** The place of the last change; 0 where there was none. */
  readonly place: number;
  /** This very call found changes that had no place. */
  readonly grew: boolean;
}

export interface LogQuery {
  readonly after: number;
  readonly limit: number;
  /** Only changes of this resource. Default: of all. */
  readonly resource?: string | undefined;
}

/** `lost`: some of what is behind the place is no longer kept. */
export type LogPage =
  | {
      readonly kind: "page";
      readonly changes: readonly PlacedChange[];
      /** Everything up to here was told. */
      readonly place: number;
    }
  | { readonly kind: "lost" };

export interface PlacedChange {
  readonly place: number;
  readonly draft: EventDraft;
}
