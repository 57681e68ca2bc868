import { median } from "./median.ts";
import { otherPlan, type Plan } from "./plan.ts";

/** One of this many reads tries the other plan. It is one of more if the other plan takes longer. */
const EVERY = 20;

/** Reads of the current plan that a read of the other plan is compared with. */
const RECENT = 5;

/** Comparisons that are kept. */
const KEPT = 9;

/** Comparisons that a decision needs. */
const NEEDED = 7;

/** How many times as long the current plan must take until the other one replaces it. */
const WORTH = 1.1;

/** How many times as long as before the current plan must take to be compared soon. */
const CHANGED = 2;

/** A plan and how much longer the other one takes. */
export interface TimedPlan {
  readonly plan: Plan;
  /** The time of the other plan, divided by that of this one. */
  readonly ratio: number;
}

/**
 * Measures how long the reads of each plan take, for one kind of nested read. Each read of the other plan is compared with
 * the reads of the current plan just before it, because times change with the load.
 */
export class PlanTimes {
  #current: Plan = "flat";
  /** In milliseconds. */
  #recent: number[] = [];
  /** The time of the current plan in the last comparison. */
  #compared = Infinity;
  /** The time of a read of the other plan, divided by that of the current plan. */
  #ratios: number[] = [];
  #decision: TimedPlan | undefined;
  #untilTry = EVERY;

  /** The plan that takes less time. `undefined` until both were measured. */
  get decision(): TimedPlan | undefined {
    return this.#decision;
  }

  /** The plan of most reads. `usual` is the plan until both were measured. */
  plan(usual: Plan): Plan {
    return this.#decision?.plan ?? usual;
  }

  /** Returns the plan of the next read, which is the other plan once in a while. */
  next(usual: Plan): Plan {
    const plan = this.plan(usual);
    if (plan !== this.#current) this.#use(plan, []);
    if (--this.#untilTry > 0) return plan;
    this.#untilTry = EVERY;
    return otherPlan(plan);
  }

  /** Adds the time that a read took, in milliseconds. */
  add(plan: Plan, milliseconds: number): void {
    if (plan === this.#current) this.#addCurrent(milliseconds);
    else if (this.#recent.length === RECENT) this.#compare(milliseconds);
  }

  #addCurrent(milliseconds: number): void {
    push(this.#recent, milliseconds, RECENT);
    if (this.#recent.length < RECENT || median(this.#recent) < CHANGED * this.#compared) return;
    this.#compared = Infinity;
    this.#untilTry = Math.min(this.#untilTry, EVERY);
  }

  #compare(milliseconds: number): void {
    this.#compared = median(this.#recent);
    const last = milliseconds / this.#compared;
    push(this.#ratios, last, KEPT);
    this.#untilTry = Math.ceil(EVERY * Math.max(1, last));
    if (this.#ratios.length < NEEDED) return;
    const ratio = median(this.#ratios);
    if (ratio * WORTH >= 1) {
      this.#decision = { plan: this.#current, ratio };
      return;
    }
    const other = otherPlan(this.#current);
    this.#decision = { plan: other, ratio: 1 / ratio };
    this.#use(
      other,
      this.#ratios.map((one) => 1 / one),
    );
  }

  #use(plan: Plan, ratios: number[]): void {
    this.#current = plan;
    this.#recent = [];
    this.#compared = Infinity;
    this.#ratios = ratios;
  }
}

function push(values: number[], value: number, most: number): void {
  values.push(value);
  if (values.length > most) values.shift();
}
