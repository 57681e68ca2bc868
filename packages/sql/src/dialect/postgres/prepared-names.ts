type State = "sent" | "ready" | "doubtful";

interface Entry {
  state: State;
  /** Length of the SQL text in characters. */
  readonly size: number;
  isUsed: boolean;
}

/** Maximum characters of SQL that one connection keeps prepared. The server needs up to 100 bytes for each. */
const MAX_CHARACTERS = 256_000;

/** The messages to send before a statement is bound. */
export interface Preparation {
  /** Statements to close, because they are no longer needed or may already exist under that name. */
  readonly close: readonly string[];
  readonly parses: boolean;
}

const READY: Preparation = { close: [], parses: false };

/**
 * The statements that one connection has prepared; the least recently used are closed. The server would keep each of
 * them until it is closed, and clients can cause any number of different statements.
 */
export class PreparedNames {
  readonly #entries = new Map<string, Entry>();
  /** Entries sent since the last success. */
  readonly #sent: Entry[] = [];
  /** Names that were dropped here but are still prepared on the server. */
  readonly #closing = new Set<string>();
  /** Names closed since the last success. */
  readonly #closed: string[] = [];
  #characters = 0;

  /** Returns the messages that a statement needs before it is bound. */
  request(name: string, size: number): Preparation {
    const known = this.#entries.get(name);
    if (known !== undefined) {
      known.isUsed = true;
      if (known.state !== "doubtful") return READY;
      known.state = "sent";
      this.#sent.push(known);
      return { close: [name], parses: true };
    }
    const entry: Entry = { state: "sent", size, isUsed: false };
    this.#entries.set(name, entry);
    this.#sent.push(entry);
    this.#characters += size;
    this.#makeRoom(name);
    const close = [...this.#closing];
    this.#closed.push(...close);
    this.#closing.clear();
    return { close, parses: true };
  }

  /** Call this when the server has processed all messages. */
  succeed(): void {
    if (this.#sent.length === 0) return;
    for (const entry of this.#sent) entry.state = "ready";
    this.#sent.length = 0;
    this.#closed.length = 0;
  }

  /** Call this when the server may have skipped some of the messages. */
  fail(): void {
    for (const entry of this.#sent) entry.state = "doubtful";
    for (const name of this.#closed) if (!this.#entries.has(name)) this.#closing.add(name);
    this.#sent.length = 0;
    this.#closed.length = 0;
  }

  #makeRoom(newest: string): void {
    for (const [name, entry] of this.#entries) {
      if (this.#characters <= MAX_CHARACTERS) return;
      // A later statement of the same batch may bind it.
      if (name === newest || entry.state === "sent") continue;
      this.#entries.delete(name);
      if (entry.isUsed) {
        entry.isUsed = false;
        this.#entries.set(name, entry);
      } else {
        this.#characters -= entry.size;
        this.#closing.add(name);
      }
    }
  }
}
