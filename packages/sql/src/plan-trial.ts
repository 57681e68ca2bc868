import { median } from "./median.ts";
import { otherPlan, type Plan } from "./plan.ts";
import type { Traffic } from "./traffic.ts";

/** Reads that began under the other plan end within this time, in milliseconds. */
const SETTLE = 50;

/** Milliseconds during which the reads of a plan are counted, and longer if there are too few. */
const [MIN_WINDOW, MAX_WINDOW] = [200, 2_000];

/** A window with fewer reads proves too little. */
const MIN_READS = 40;

/** Statements that run at a time, from which on a faster plan means more reads. */
const SATURATED = 4;

/** Windows of each plan that the other plan must win. They take turns, because the load changes too. */
const ROUNDS = 3;

/** How many times as many reads the other plan must reach. */
const WORTH = 1.1;

/**
 * Milliseconds until the other plan is tried again. The first decision is tried again soon, because V8 hasn't compiled
 * much code by then.
 */
const [MIN_HOLD, MAX_HOLD] = [5_000, 60_000];

/** Milliseconds after which a decision no longer holds for the next load. */
const FORGET = 300_000;

/** A decision, with how many times as many reads its plan reached as the other one. */
export interface RatedPlan {
  readonly plan: Plan;
  readonly ratio: number;
}

/**
 * Tries both plans for one kind of nested read while the database is saturated, and keeps the one with which it serves
 * more reads. Which one that is depends on what the load exhausts first: the database, the network or this process. The
 * other plan must win three windows in a row, and loses its trial in the first window that it doesn't win.
 */
export class PlanTrial {
  readonly #traffic: Traffic;
  readonly #rates: Record<Plan, number[]> = { flat: [], one: [] };
  #isSaturated = false;
  #decided: RatedPlan | undefined;
  #decidedAt = 0;
  #hold = MIN_HOLD;
  /** The plan of most reads, and the one that is being tried, during a trial. */
  #trial: { readonly base: Plan; tried: Plan } | undefined;
  #opens = 0;
  #closes = 0;
  #total = 0;
  #reads = 0;

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
  }

  /** The decision for the present load. `undefined` without one. */
  get decision(): RatedPlan | undefined {
    return this.#isSaturated ? this.#decided : undefined;
  }

  /** Counts a read and returns its plan. `usual` is the plan without a trial. `undefined` if the database isn't saturated. */
  next(usual: Plan, now: number): Plan | undefined {
    if (now >= this.#closes) this.#closeWindow(usual, now);
    if (this.#reads === 0) this.#total = this.#traffic.totalUntil(now);
    if (now >= this.#opens) this.#reads++;
    if (!this.#isSaturated) return undefined;
    return this.#trial?.tried ?? this.#decided?.plan ?? usual;
  }

  #closeWindow(usual: Plan, now: number): void {
    const length = now - this.#opens;
    if (this.#closes > 0 && this.#reads < MIN_READS && length < MAX_WINDOW) return;
    const total = this.#reads < MIN_READS ? 0 : this.#traffic.totalUntil(now) - this.#total;
    this.#isSaturated = this.#closes > 0 && total >= length * SATURATED;
    if (!this.#isSaturated) {
      this.#endTrial();
      this.#open(now, 0);
      return;
    }
    if (now - this.#decidedAt > FORGET) this.#decided = undefined;
    if (this.#trial !== undefined) {
      this.#finishWindow(this.#trial, this.#reads / length, now);
    } else if (this.#decided === undefined || now - this.#decidedAt >= this.#hold) {
      const base = this.#decided?.plan ?? usual;
      this.#trial = { base, tried: base };
    }
    this.#open(now, this.#trial === undefined ? 0 : SETTLE);
  }

  #finishWindow(trial: { readonly base: Plan; tried: Plan }, rate: number, now: number): void {
    const { base, tried } = trial;
    const other = otherPlan(base);
    this.#rates[tried].push(rate);
    trial.tried = otherPlan(tried);
    if (tried === base) return;
    const isWon = rate > (this.#rates[base].at(-1) ?? 0);
    if (isWon && this.#rates[other].length < ROUNDS) return;
    const ratio = median(this.#rates[other]) / median(this.#rates[base]);
    const isFaster = isWon && ratio >= WORTH && Math.min(...this.#rates[other]) > Math.max(...this.#rates[base]);
    this.#hold = isFaster || this.#decided === undefined ? MIN_HOLD : Math.min(2 * this.#hold, MAX_HOLD);
    this.#decided = isFaster ? { plan: other, ratio } : { plan: base, ratio: 1 / ratio };
    this.#decidedAt = now;
    this.#endTrial();
  }

  #endTrial(): void {
    this.#trial = undefined;
    this.#rates.flat = [];
    this.#rates.one = [];
  }

  #open(now: number, delay: number): void {
    this.#opens = now + delay;
    this.#closes = this.#opens + MIN_WINDOW;
    this.#reads = 0;
  }
}
