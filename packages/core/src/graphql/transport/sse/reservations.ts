/** Tokens of event streams that wait to be opened, by caller, the oldest first. */
export class Reservations {
  readonly #most: number;
  readonly #waiting = new Map<string, Set<string>>();
  #size = 0;

  /** `most`: of one caller. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Of all callers. */
  get size(): number {
    return this.#size;
  }

  /** The token of the same caller that has to give way before it may have another one. */
  oldestBeyond(caller: string): string | undefined {
    const tokens = this.#waiting.get(caller);
    return tokens === undefined || tokens.size < this.#most ? undefined : tokens.values().next().value;
  }

  add(caller: string, token: string): void {
    const tokens = this.#waiting.get(caller) ?? new Set();
    this.#waiting.set(caller, tokens.add(token));
    this.#size++;
  }

  /** Has no effect for a token that waits no longer. */
  delete(caller: string, token: string): void {
    const tokens = this.#waiting.get(caller);
    if (tokens?.delete(token) !== true) return;
    this.#size--;
    if (tokens.size === 0) this.#waiting.delete(caller);
  }
}
