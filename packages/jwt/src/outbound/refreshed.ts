import { BifocalError } from "@bifocal/core/authenticator";

export interface RefreshTimes {
  /** Maximum age before it is loaded again, in milliseconds. */
  readonly age: number;
  /** Minimum time between two loads, in milliseconds. */
  readonly cooldown: number;
  /** Maximum age if loading fails, in milliseconds. */
  readonly stale: number;
}

/** Used until the first load succeeds, when every request fails. */
const FIRST_COOLDOWN = 3_000;

/**
 * A cached value of another server. It is refreshed by one load at a time, and used for a while if that server is unreachable. Times
 * are measured with a monotonic clock.
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

  /** Rejects with UNAVAILABLE if no usable value is cached. */
  async get(): Promise<T> {
    const age = this.#age();
    if (age > this.#times.age) {
      const renewed = this.renew();
      // After a failed load, uses the old value instead of waiting, until it is stale.
      if (this.#failure === undefined || age > this.#times.stale) await renewed;
    }
    if (this.#kept !== undefined && this.#age() <= this.#times.stale) return this.#kept.value;
    throw new BifocalError("UNAVAILABLE", "Credentials can't be verified at the moment. Try again later.", {
      headers: { "Retry-After": "5" },
      cause: this.#failure,
    });
  }

  /** Loads the value again, unless the cooldown has not passed. Never rejects. */
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
