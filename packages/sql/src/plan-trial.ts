import { median } from "./median.ts";
import { otherPlan, type Plan } from "./plan.ts";
import type { Traffic } from "./traffic.ts";

/** Reads that began under the other plan end within this time, in milliseconds. */
const SETTLE = 100;

/** Milliseconds during which the reads of a plan are counted, and longer if there are too few. */
const [MIN_WINDOW, MAX_WINDOW] = [200, 2_000];

/** A window with fewer reads proves too little. */
const MIN_READS = 40;

/** Statements that run at a time, from which on a faster plan means more reads. */
const SATURATED = 4;

/**
 * Rounds of a trial, each with a window of either plan, because the load changes too. A window is noisy: the other plan
 * must win three more rounds than it loses, or five to replace a measured decision. It loses the trial if it loses two
 * more. After the last round, the median decides.
 */
const [WON, WON_AGAIN, LOST, MAX_ROUNDS] = [3, 5, -2, 13];

/** Rounds don't count until V8 has compiled the code of the other plan, which takes this many reads of any kind. */
const COLD_READS = 1_500;
const MAX_COLD_ROUNDS = 12;

/**
 * How many times as many reads a plan must reach to replace the other one. A statement for each level uses less of the
 * database's time, which other processes may need, so it needs no advantage.
 */
const WORTH: Readonly<Record<Plan, number>> = { flat: 1, one: 1.15 };

/** If the other plan serves less than this share of the reads, the round counts as two lost ones. */
const HOPELESS = 0.5;

/** Below this share, the round also counts before the code is compiled. */
const HOPELESS_COLD = 0.1;

/**
 * Milliseconds under saturation until the other plan is tried again. The first decision is tried again soon, because V8
 * hasn't compiled much code by then.
 */
const [MIN_HOLD, MAX_HOLD] = [5_000, 60_000];

/** Milliseconds after which a decision no longer holds for the next load. */
const FORGET = 300_000;

/** The plan of most reads and the one that is being tried. */
interface Trial {
  readonly base: Plan;
  tried: Plan;
  /** Reads per millisecond in the window before. */
  rate: number;
  /** How many times as many reads the other plan reached in each round. */
  readonly ratios: number[];
  /** Rounds that the other plan won, minus those that it lost. */
  lead: number;
  /** Rounds that didn't count. */
  cold: number;
}

/** A decision, with how many times as many reads its plan reached as the other one. */
export interface RatedPlan {
  readonly plan: Plan;
  readonly ratio: number;
}

/**
 * Tries both plans for one kind of nested read while the database is saturated, and keeps the one with which it serves
 * more reads. Which one that is depends on what the load exhausts first: the database, the network or this process.
 */
export class PlanTrial {
  readonly #traffic: Traffic;
  /** The reads of each plan so far, of all kinds. */
  readonly #served: Readonly<Record<Plan, number>>;
  #isSaturated = false;
  /** Whether the last window ended with the first read after a pause. */
  #isPaused = false;
  #decided: RatedPlan | undefined;
  /** Milliseconds under saturation since the decision. */
  #held = 0;
  #saturatedAt = 0;
  #hold = MIN_HOLD;
  #trial: Trial | undefined;
  #opens = 0;
  #closes = 0;
  /** The time of all statements before the first read of the window, and when that read began. */
  #total = 0;
  #since = 0;
  #reads = 0;

  constructor(traffic: Traffic, served: Readonly<Record<Plan, number>>) {
    this.#traffic = traffic;
    this.#served = served;
  }

  /** The decision for the present load. `undefined` without one. */
  get decision(): RatedPlan | undefined {
    return this.#isSaturated ? this.#decided : undefined;
  }

  /** Counts a read and returns its plan. `usual` is the plan without a trial. `undefined` if the database isn't saturated. */
  next(usual: Plan, now: number): Plan | undefined {
    if (now >= this.#closes) this.#closeWindow(usual, now);
    if (this.#reads === 0) {
      this.#total = this.#traffic.totalUntil(now);
      this.#since = now;
    }
    if (now >= this.#opens) this.#reads++;
    if (!this.#isSaturated) return undefined;
    return this.#trial?.tried ?? this.#decided?.plan ?? usual;
  }

  #closeWindow(usual: Plan, now: number): void {
    const length = now - this.#opens;
    if (this.#closes > 0 && this.#reads < MIN_READS && length < MAX_WINDOW) return;
    const wasSaturated = this.#isSaturated;
    const isTried = this.#trial !== undefined && this.#trial.tried !== this.#trial.base;
    const rate = Math.max(1, this.#reads) / length;
    // A plan that is being tried may be so slow that it serves fewer reads.
    const isEnough = this.#closes > 0 && (isTried || this.#reads >= MIN_READS);
    const running = (this.#traffic.totalUntil(now) - this.#total) / (now - this.#since);
    // It may also be so fast that the load no longer saturates the database.
    const isRelieved = isTried && wasSaturated && rate > (this.#trial?.rate ?? 0);
    const isOver = !isEnough || (running < SATURATED && !isRelieved);
    // A load that comes in bursts has to be measured again only if the next one differs.
    this.#isPaused = isOver && wasSaturated && !this.#isPaused && length >= MAX_WINDOW && length < FORGET;
    this.#isSaturated = !isOver || this.#isPaused;
    if (isOver) {
      // The trial goes on with the next load, and repeats the round.
      if (this.#trial !== undefined) this.#trial.tried = this.#trial.base;
      this.#open(now, 0);
      return;
    }
    if (now - this.#saturatedAt > FORGET) {
      this.#decided = undefined;
      this.#trial = undefined;
    }
    this.#saturatedAt = now;
    this.#held += Math.min(length, MAX_WINDOW);
    if (this.#trial !== undefined) {
      if (wasSaturated) this.#finishWindow(this.#trial, rate);
    } else if (this.#decided === undefined || this.#held >= this.#hold) {
      const base = this.#decided?.plan ?? usual;
      this.#trial = { base, tried: base, rate: 0, ratios: [], lead: 0, cold: 0 };
    }
    this.#open(now, this.#trial === undefined ? 0 : SETTLE);
  }

  #finishWindow(trial: Trial, rate: number): void {
    const { base, tried, ratios } = trial;
    trial.tried = otherPlan(tried);
    if (tried === base) {
      trial.rate = rate;
      return;
    }
    const last = rate / trial.rate;
    if (last >= HOPELESS_COLD && this.#served[tried] < COLD_READS && trial.cold < MAX_COLD_ROUNDS) {
      trial.cold++;
      return;
    }
    ratios.push(last);
    trial.lead += last < HOPELESS ? LOST : last < 1 ? -1 : 1;
    const isLost = trial.lead <= LOST;
    const ratio = isLost ? Math.min(1, last, median(ratios)) : median(ratios);
    const needed = this.#decided === undefined ? WON : WON_AGAIN;
    const isFaster = ratio >= WORTH[otherPlan(base)];
    if (!isLost && (trial.lead < needed || !isFaster) && ratios.length < MAX_ROUNDS) return;
    if (last < HOPELESS_COLD) this.#hold = MAX_HOLD;
    else this.#hold = isFaster || this.#decided === undefined ? MIN_HOLD : Math.min(2 * this.#hold, MAX_HOLD);
    this.#decided = isFaster ? { plan: otherPlan(base), ratio } : { plan: base, ratio: 1 / ratio };
    this.#held = 0;
    this.#trial = undefined;
  }

  #open(now: number, delay: number): void {
    this.#opens = now + delay;
    this.#closes = this.#opens + MIN_WINDOW;
    this.#reads = 0;
  }
}
