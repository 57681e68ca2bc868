/** Measures how much of the time a database has statements to run. */
export class Traffic {
  #running = 0;
  #since = 0;
  #busy = 0;
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  start(): void {
    if (this.#running++ === 0) this.#since = this.#now();
  }

  end(): void {
    if (--this.#running === 0) this.#busy += this.#now() - this.#since;
  }

  /** Milliseconds during which at least one statement was running, until `time`. */
  busyUntil(time: number): number {
    return this.#running === 0 ? this.#busy : this.#busy + time - this.#since;
  }
}
