import type { Observer } from "../operation/observer.ts";
import type { ChangeMessage } from "./change-event.ts";

/** Delivers changes to listeners: in order per resource, each at least once or replaced by a `reset`. */
export interface ChangeSource {
  /**
   * Delivers each change of the resource from now on. With `after`, first delivers the stored changes since that id, or
   * one `reset` if the id is no longer known. Returns a function that ends the subscription.
   */
  subscribe(resource: string, listener: SourceObserver, after?: string): () => void;
  /**
   * Settles once all committed changes have been delivered; undefined if they have been. Rejects if the store is
   * unavailable.
   */
  settled(): Promise<void> | undefined;
}

/** A source never ends, so its observers have no `end`. */
export interface SourceObserver extends Omit<Observer<ChangeMessage>, "end"> {
  /** Called once, when a resuming observer has caught up with the others. */
  readonly caughtUp?: () => void;
}
