import type { ChangeMessage } from "../../events/change-event.ts";
import { keyToken } from "../../operation/key.ts";

const MOST_WAITING = 1_000;
/** Messages that are read at the same time: a store that is far away reads many rows as quickly as one. */
const MOST_AT_ONCE = 32;

export interface Numbered {
  readonly number: number;
  readonly message: ChangeMessage;
}

/** The messages that a lane has still to read. Beyond a thousand they are dropped for a `reset`, which says so. */
export class WaitingMessages {
  #messages: Numbered[] = [];
  #count = 0;

  /** How many have come, read or not. */
  get count(): number {
    return this.#count;
  }

  get length(): number {
    return this.#messages.length;
  }

  push(message: ChangeMessage): void {
    const number = ++this.#count;
    if (this.#messages.length < MOST_WAITING) this.#messages.push({ number, message });
    else this.#messages = [{ number, message: { kind: "reset", id: message.id } }];
  }

  clear(): void {
    this.#messages = [];
  }

  /** The next ones, of each row one: of two readings of a row the older could end last. */
  take(): readonly Numbered[] {
    const rows = new Set<string>();
    const end = this.#messages.findIndex(({ message }, index) => {
      if (index === MOST_AT_ONCE) return true;
      if (message.kind === "reset") return false;
      const row = keyToken(message.key);
      const isKnown = rows.has(row);
      rows.add(row);
      return isKnown;
    });
    return this.#messages.splice(0, end < 0 ? this.#messages.length : end);
  }
}
