/** Limits a rate: allows `perSecond` actions per second, with bursts of up to `most`. */
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

  /** Takes one token. Returns false if the bucket is empty. */
  take(): boolean {
    this.#fill();
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** Whether the bucket has refilled completely. */
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
