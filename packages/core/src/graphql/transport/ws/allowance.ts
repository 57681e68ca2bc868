const BURST = 4;

/** What may be done so often a second, and four times as often at once: a bucket that fills as time goes by. */
export class Allowance {
  readonly #perSecond: number;
  #left: number;
  #since = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond * BURST;
  }

  /** Whether it may be done once more. */
  take(): boolean {
    const now = performance.now();
    const most = this.#perSecond * BURST;
    this.#left = Math.min(most, this.#left + ((now - this.#since) / 1_000) * this.#perSecond);
    this.#since = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
