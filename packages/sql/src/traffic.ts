/** Measures how many statements a database has to run at a time. */
export class Traffic {
  #running = 0;
  #since = 0;
  #total = 0;
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  start(): void {
    this.#count(1);
  }

  end(): void {
    this.#count(-1);
  }

  /** The time that all statements have taken together, until `time`, in milliseconds. */
  totalUntil(time: number): number {
    return this.#total + this.#running * (time - this.#since);
  }

  #count(change: 1 | -1): void {
    const now = this.#now();
    this.#total = this.totalUntil(now);
    this.#since = now;
    this.#running += change;
  }
}
