import { BifocalError } from "@bifocal/core/authenticator";

export interface RefreshTimes {
  /** How old it may be before it is asked for again, in milliseconds. */
  readonly age: number;
  /** Nothing is asked for twice within this time. */
  readonly cooldown: number;
  /** How old it may be while there is no newer one. */
  readonly stale: number;
}

/** While there is nothing yet, waiting longer helps nobody. */
const FIRST_COOLDOWN = 3_000;

/**
 * Something that another server knows: kept, asked for again from time to time, by one question at a time, and still used for a
 * while when that server is out of reach. Times are measured by a clock that nobody sets.
 */
export class Refreshed<T> {
  readonly #load: () => Promise<T>;
  readonly #times: RefreshTimes;
  #kept: { readonly value: T; readonly at: number } | undefined;
  #asked = -Infinity;
  #failure: unknown;
  #pending: Promise<void> | undefined;

  constructor(load: () => Promise<T>, times: RefreshTimes) {
    this.#load = load;
    this.#times = times;
  }

  /** Rejects with UNAVAILABLE while there is none. */
  async get(): Promise<T> {
    const age = this.#age();
    if (age > this.#times.age) {
      const renewed = this.renew();
      // Who failed a moment ago is not waited for, as long as there is something to go on with.
      if (this.#failure === undefined || age > this.#times.stale) await renewed;
    }
    if (this.#kept !== undefined && this.#age() <= this.#times.stale) return this.#kept.value;
    throw new BifocalError("UNAVAILABLE", "Credentials cannot be checked at the moment.", {
      headers: { "Retry-After": "5" },
      cause: this.#failure,
    });
  }

  /** Asks again, unless that was done a moment ago. Never rejects. */
  renew(): Promise<void> {
    const cooldown = this.#kept === undefined ? Math.min(FIRST_COOLDOWN, this.#times.cooldown) : this.#times.cooldown;
    if (this.#pending === undefined && performance.now() - this.#asked >= cooldown) {
      this.#asked = performance.now();
      this.#pending = this.#ask().finally(() => {
        this.#pending = undefined;
      });
    }
    return this.#pending ?? Promise.resolve();
  }

  async #ask(): Promise<void> {
    try {
      this.#kept = { value: await this.#load(), at: performance.now() };
      this.#failure = undefined;
    } catch (thrown) {
      this.#failure = thrown;
    }
  }

  #age(): number {
    return this.#kept === undefined ? Infinity : performance.now() - this.#kept.at;
  }
}
