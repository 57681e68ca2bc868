/** What may be done so often a second, and at first `most` times at once: a bucket that fills as time goes by. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #most: number;
  #left: number;
  #since = performance.now();

  constructor(perSecond: number, most: number) {
    this.#perSecond = perSecond;
    this.#most = most;
    this.#left = most;
  }

  /** Whether it may be done once more. */
  take(): boolean {
    this.#fill();
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** Nothing was done for so long that it is as new. */
  get isFull(): boolean {
    this.#fill();
    return this.#left >= this.#most;
  }

  #fill(): void {
    const now = performance.now();
    this.#left = Math.min(this.#most, this.#left + ((now - this.#since) / 1_000) * this.#perSecond);
    this.#since = now;
  }
}
