import type { Traffic } from "./traffic.ts";

/** A plan of a nested read. */
export type Plan = "flat" | "one";

/** Reads that began under the other plan end within this time, in milliseconds. */
const SETTLE = 50;

/** Milliseconds during which the reads of a plan are counted. */
const WINDOW = 200;

/** A window with fewer reads says too little. */
const MIN_READS = 40;

/** The share of a window in which the database has work, from which on a faster plan means more reads. */
const SATURATED = 0.9;

/** Windows of each plan. They take turns, because the load changes too. */
const ROUNDS = 3;

/** How many times as many reads the other plan must reach. */
const WORTH = 1.1;

/** Milliseconds until a decision is tried again. */
const HOLD = 30_000;

/**
 * Tries both plans for one kind of nested read while the database is saturated, and keeps the one with which it serves
 * more reads. Which one that is depends on what the load exhausts first: the database, the network or this process.
 */
export class PlanTrial {
  readonly #traffic: Traffic;
  readonly #rates: Record<Plan, number[]> = { flat: [], one: [] };
  #usual: Plan = "flat";
  #decided: { readonly plan: Plan; readonly ratio: number } | undefined;
  /** The plan that is being tried. */
  #tried: Plan | undefined;
  #opens = 0;
  #closes = 0;
  #busy = 0;
  #reads = 0;

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
  }

  /** The decision, with how many times as many reads its plan reached. `undefined` without one. */
  get decision(): { readonly plan: Plan; readonly ratio: number } | undefined {
    return this.#decided;
  }

  /** Counts a read and returns its plan. `usual` is the plan without a trial. */
  next(usual: Plan, now: number): Plan {
    this.#usual = usual;
    if (now >= this.#closes) this.#closeWindow(now);
    if (this.#reads === 0) this.#busy = this.#traffic.busyUntil(now);
    if (now >= this.#opens) this.#reads++;
    return this.#tried ?? this.#decided?.plan ?? usual;
  }

  #closeWindow(now: number): void {
    const isOpen = this.#closes > 0;
    const length = now - this.#opens;
    const isSaturated =
      isOpen && this.#reads >= MIN_READS && this.#traffic.busyUntil(now) - this.#busy >= length * SATURATED;
    if (!isSaturated) {
      this.#tried = undefined;
      this.#decided = undefined;
      this.#clear();
      this.#open(now, 0);
      return;
    }
    if (this.#tried === undefined) {
      this.#tried = this.#usual;
    } else {
      this.#rates[this.#tried].push(this.#reads / length);
      this.#tried = this.#tried === "flat" ? "one" : "flat";
      if (this.#rates.flat.length + this.#rates.one.length === 2 * ROUNDS) {
        this.#decide();
        this.#open(now, HOLD);
        return;
      }
    }
    this.#open(now, SETTLE);
  }

  #decide(): void {
    const other = this.#usual === "flat" ? "one" : "flat";
    const ratio = median(this.#rates[other]) / median(this.#rates[this.#usual]);
    const isFaster = ratio >= WORTH && Math.min(...this.#rates[other]) > Math.max(...this.#rates[this.#usual]);
    this.#decided = isFaster ? { plan: other, ratio } : { plan: this.#usual, ratio: 1 / ratio };
    this.#tried = undefined;
    this.#clear();
  }

  #clear(): void {
    this.#rates.flat = [];
    this.#rates.one = [];
  }

  #open(now: number, delay: number): void {
    this.#opens = now + delay;
    this.#closes = this.#opens + WINDOW;
    this.#reads = 0;
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
