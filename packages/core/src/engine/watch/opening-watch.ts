import type { ChangeMessage } from "../../events/change-event.ts";
import type { ReadMessage } from "./event-reader.ts";
import { type GroupOfWatches, SharedWatch } from "./shared-watch.ts";
import type { Watcher } from "./watcher.ts";

/**
 * The watch of a single watcher until it can share reads. It collects messages while the rights of the watcher are
 * checked, and receives what a resuming watcher has missed.
 */
export class OpeningWatch extends SharedWatch {
  readonly #watcher: Watcher;
  /** The event after which the watcher resumes. */
  readonly #after: string | undefined;
  #isBehind: boolean;
  #onCurrent: (() => SharedWatch) | undefined;

  constructor(group: GroupOfWatches, watcher: Watcher, after: string | undefined) {
    super(group, watcher, undefined);
    this.#watcher = watcher;
    this.#after = after;
    this.#isBehind = after !== undefined;
    if (!watcher.isOver) this.join(watcher);
  }

  /** Drops the waiting messages, which were published before the watcher joined. */
  forget(): void {
    this.waiting.clear();
  }

  /** Delivers the messages. As soon as the watcher has received all of them, it joins the watch that `shared` returns. */
  release(read: ReadMessage, shared: () => SharedWatch): void {
    this.#onCurrent = shared;
    void this.readAll(read);
  }

  /** Ignores the messages of the group if the watcher has a subscription of its own. */
  override next(message: ChangeMessage): void {
    if (this.#after === undefined) super.next(message);
  }

  override leave(watcher: Watcher): void {
    super.leave(watcher);
    this.waiting.clear();
  }

  protected override open(): () => void {
    const close = super.open();
    if (this.#after === undefined) return close;
    const watcher = this.#watcher;
    const end = this.group.feed.resume(
      {
        next: (message) => {
          if (this.group.wants(message)) super.next(message);
        },
        drain: () => (watcher.isOver ? undefined : this.waiting.drain()),
        caughtUp: () => {
          this.#isBehind = false;
          if (!this.isReading) this.onIdle();
        },
      },
      this.#after,
    );
    return () => {
      end();
      close();
    };
  }

  /** Moves the watcher in the same turn, before another message can arrive. */
  protected override onIdle(): void {
    if (this.#isBehind || this.#onCurrent === undefined || this.#watcher.isOver) return;
    this.#onCurrent().join(this.#watcher);
    this.leave(this.#watcher);
  }
}
