import type { Key, Row } from "../model/model.ts";
import type { ChangeKind } from "../operation/operation.ts";

/** A committed change. Ids grow in the order of commit. */
export interface ChangeEvent {
  readonly id: string;
  readonly resource: string;
  readonly kind: ChangeKind;
  readonly key: Key;
  /** Absent for `created`. */
  readonly before?: Row;
  /** Absent for `deleted`. */
  readonly after?: Row;
}

export type EventDraft = Omit<ChangeEvent, "id">;

export type BusMessage = ChangeEvent | { readonly kind: "reset"; readonly id: string };

/** A driver for events. Messages of one resource reach each listener in the order they were published. */
export interface Bus {
  /** After commit, in order. */
  publish(events: readonly EventDraft[]): void | Promise<void>;
  /**
   * Calls `listener` for each event of the resource from now on; with `after`, first for what was kept since that id,
   * or once with `reset` where that is no longer known. Returns the function that ends it.
   */
  subscribe(resource: string, listener: (message: BusMessage) => void, after?: string): () => void;
  close?(): void | Promise<void>;
}
