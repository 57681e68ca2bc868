import type { ChangeMessage } from "./change-event.ts";

/** Delivers changes to listeners: in order per resource, each at least once or replaced by a `reset`. */
export interface ChangeSource {
  /**
   * Delivers each change of the resource from now on. With `after`, first delivers the stored changes since that id, or
   * one `reset` if the id is no longer known. Returns a function that ends the subscription.
   */
  subscribe(resource: string, listener: SourceListener, after?: string): () => void;
  /**
   * Settles once all committed changes have been delivered; undefined if they have been. Rejects if the store is
   * unavailable.
   */
  settled(): Promise<void> | undefined;
}

export interface SourceListener {
  readonly push: (message: ChangeMessage) => void;
  /** Waits until the listener can accept more of the missed changes. Undefined if it can accept them now. */
  readonly drain?: () => Promise<void> | undefined;
  /** Called once, when a resuming listener has caught up with the others. */
  readonly caughtUp?: () => void;
}
