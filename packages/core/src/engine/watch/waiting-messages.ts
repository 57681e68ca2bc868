import type { ChangeMessage } from "../../events/change-event.ts";
import { keyToken } from "../../operation/key.ts";
import { DrainSignal } from "../../util/drain-signal.ts";

const MAX_WAITING = 1_000;
/** A source pauses while this many messages are waiting. */
const MANY = 250;
/** Maximum number of concurrent reads. A distant store reads many rows as quickly as a single row. */
const MAX_CONCURRENT_READS = 32;

export interface Numbered {
  readonly number: number;
  readonly message: ChangeMessage;
}

/** The messages that have not been read yet. If there are too many, they are dropped and replaced by a `reset`. */
export class WaitingMessages {
  #messages: Numbered[] = [];
  #count = 0;
  #room: DrainSignal | undefined;

  /** Number of messages received so far, read or not. */
  get count(): number {
    return this.#count;
  }

  get length(): number {
    return this.#messages.length;
  }

  push(message: ChangeMessage): void {
    const number = ++this.#count;
    if (this.#messages.length < MAX_WAITING) this.#messages.push({ number, message });
    else this.#messages = [{ number, message: { kind: "reset", id: message.id } }];
  }

  /** Waits until most messages were taken; undefined if there are few. */
  drain(): Promise<void> | undefined {
    return this.#messages.length < MANY ? undefined : (this.#room ??= new DrainSignal()).wait();
  }

  clear(): void {
    this.#messages = [];
    this.#room?.notify();
  }

  /**
   * Takes the next messages with at most one per row, because of two concurrent reads of a row the older could finish
   * last.
   */
  take(): readonly Numbered[] {
    const rows = new Set<string>();
    const end = this.#messages.findIndex(({ message }, index) => {
      if (index === MAX_CONCURRENT_READS) return true;
      if (message.kind === "reset") return false;
      const row = keyToken(message.key);
      const isKnown = rows.has(row);
      rows.add(row);
      return isKnown;
    });
    const taken = this.#messages.splice(0, end < 0 ? this.#messages.length : end);
    if (this.#messages.length < MANY) this.#room?.notify();
    return taken;
  }
}
