import { BifocalError } from "../errors/bifocal-error.ts";
import { callerKey } from "../operation/caller-key.ts";
import type { SubscriptionLimits } from "../limits/limits.ts";
import type { EventStream } from "../message/event-stream.ts";
import type { Caller } from "../operation/run.ts";

/** Counts the open WebSockets and event streams of each principal. Anonymous callers are counted by address. */
export class CallerConnections {
  readonly #limits: Pick<SubscriptionLimits, "callerConnections" | "anonymousConnections">;
  readonly #open = new Map<string, number>();

  constructor(limits: Pick<SubscriptionLimits, "callerConnections" | "anonymousConnections">) {
    this.#limits = limits;
  }

  /**
   * Counts one more connection, and returns the function that ends it. Throws RATE_LIMITED if the caller has too many.
   */
  open(caller: Pick<Caller, "principal" | "address">): () => void {
    const key = callerKey(caller);
    // A call within the process has no address.
    if (key === undefined) return () => {};
    const before = this.#open.get(key) ?? 0;
    const isAnonymous = caller.principal === null;
    const most = isAnonymous ? this.#limits.anonymousConnections : this.#limits.callerConnections;
    if (before >= most) throw tooMany(isAnonymous ? "Your address" : "You", most);
    this.#open.set(key, before + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#open.get(key) ?? 1) - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    };
  }

  /** Counts an event stream until it ends. If the caller has too many, ends the stream and throws RATE_LIMITED. */
  hold(stream: EventStream, caller: Pick<Caller, "principal" | "address">): void {
    try {
      stream.whenRead(this.open(caller));
    } catch (thrown) {
      void stream.return();
      throw thrown;
    }
  }
}

function tooMany(who: string, most: number): BifocalError {
  const message = `${who} can have at most ${most} WebSockets and event streams open at the same time.`;
  return new BifocalError("RATE_LIMITED", message, { headers: { "Retry-After": "5" } });
}
