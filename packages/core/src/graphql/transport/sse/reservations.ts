/** Tokens of event streams that are reserved but not open, by caller, oldest first. */
export class Reservations {
  readonly #most: number;
  readonly #waiting = new Map<string, Set<string>>();
  #size = 0;

  /** @param most - maximum number of tokens per caller */
  constructor(most: number) {
    this.#most = most;
  }

  /** Number of tokens of all callers. */
  get size(): number {
    return this.#size;
  }

  /**
   * Returns the oldest token of a caller that has reached the maximum. It must be removed before the caller gets
   * another one.
   */
  oldestBeyond(caller: string): string | undefined {
    const tokens = this.#waiting.get(caller);
    return tokens === undefined || tokens.size < this.#most ? undefined : tokens.values().next().value;
  }

  add(caller: string, token: string): void {
    const tokens = this.#waiting.get(caller) ?? new Set();
    this.#waiting.set(caller, tokens.add(token));
    this.#size++;
  }

  /** Has no effect if the token is not reserved. */
  delete(caller: string, token: string): void {
    const tokens = this.#waiting.get(caller);
    if (tokens?.delete(token) !== true) return;
    this.#size--;
    if (tokens.size === 0) this.#waiting.delete(caller);
  }
}
