import type { ChangeMessage } from "./change-event.ts";

/** Hands changes to those who listen: in order for each resource, each at least once, or with a `reset` in its place. */
export interface ChangeSource {
  /**
   * Hands over each change of the resource from now on; with `after`, first what is kept since that id, or one `reset` where
   * that is no longer known. Returns what ends it.
   */
  subscribe(resource: string, listener: SourceListener, after?: string): () => void;
  /** Settled once all that is committed by now was handed over; undefined where it was. Rejects where the data is out of reach. */
  settled(): Promise<void> | undefined;
}

export interface SourceListener {
  readonly push: (message: ChangeMessage) => void;
  /** Waits until there is room for more of what was missed; undefined where there is. */
  readonly room?: () => Promise<void> | undefined;
  /** Called once who resumes stands where all the others do: from then on it gets what they get. */
  readonly caughtUp?: () => void;
}
