import type { StoreContext, TextQuery } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Database } from "./database.ts";
import { ask } from "./dialect/ask.ts";
import type { Dialect } from "./dialect/dialect.ts";
import type { Plan } from "./plan.ts";
import { PlanTimes } from "./plan-times.ts";
import { PlanTrial } from "./plan-trial.ts";
import { Traffic } from "./traffic.ts";

/**
 * How to read a list with relations. `"flat"` runs one statement for each level. `"one"` runs a single statement that
 * returns JSON. `"auto"` starts with the one that the round-trip time to the database suggests, measures how long each one
 * takes, and keeps the faster one.
 */
export type ReadPlan = "auto" | Plan;

const PROBES = 5;
const EVERY = 30_000;

/**
 * Milliseconds of waiting that the single statement must save. Building its JSON text costs the database about half as
 * much again as reading the rows, and this process less than half. A TCP connection is slow enough to pay for that even
 * on one machine; a Unix socket is not.
 */
const WORTH = 0.05;

const NAMES: Readonly<Record<Plan, string>> = { flat: "a statement for each level", one: "one statement" };

/** Maximum number of kinds of reads. Clients combine relations freely. */
const MAX_KINDS = 500;

/** The measurements of one kind of nested read. */
interface Kind {
  readonly trial: PlanTrial;
  readonly times: PlanTimes;
}

/** A read whose time is being measured. */
interface TimedRead {
  readonly times: PlanTimes;
  readonly plan: Plan;
  readonly start: number;
  /** Statements that are not answered yet. */
  left: number;
}

/** Chooses the plan of a nested read. */
export class Choice {
  /** The statements of all operations on this database. */
  readonly traffic = new Traffic();
  /** By the resource and its relations. */
  readonly #kinds = new Map<string, Kind>();
  /** By operation. An operation with several lists measures the last one. */
  readonly #timed = new WeakMap<StoreContext, TimedRead>();
  readonly #served: Record<Plan, number> = { flat: 0, one: 0 };
  readonly #plan: ReadPlan;
  readonly #database: Database;
  readonly #dialect: Dialect;
  #roundTrip: number | undefined;
  #measured = 0;
  #isMeasuring = false;

  constructor(plan: ReadPlan, database: Database, dialect: Dialect) {
    this.#plan = plan;
    this.#database = database;
    this.#dialect = dialect;
  }

  /** Shortest measured round trip in milliseconds; `undefined` until the first measurement. */
  get roundTrip(): number | undefined {
    return this.#roundTrip;
  }

  /** Counts a read, begins to measure its time, and returns its plan. */
  next(query: TextQuery, context: StoreContext): Plan {
    if (this.#plan !== "auto") return this.#plan;
    this.#remeasure();
    const plan = this.#nextOf(query, context);
    this.#served[plan]++;
    return plan;
  }

  #nextOf(query: TextQuery, context: StoreContext): Plan {
    const count = levels(query.related);
    const { trial, times } = this.#kindOf(query);
    const usual = this.#usual(count);
    const start = performance.now();
    // Under saturation, the time of a read is mostly the time that it waits for others.
    const saturated = trial.next(times.plan(usual), start);
    if (saturated !== undefined) return saturated;
    const plan = times.next(usual);
    this.#timed.set(context, { times, plan, start, left: plan === "one" ? 1 : count });
    return plan;
  }

  /** Notes that a statement of an operation was answered. */
  answered(context: StoreContext): void {
    const read = this.#timed.get(context);
    if (read === undefined || --read.left > 0) return;
    this.#timed.delete(context);
    read.times.add(read.plan, performance.now() - read.start);
  }

  /** Notes that the single statement returns no text, so that the read continues with a statement for each level. */
  declined(query: TextQuery, context: StoreContext): void {
    const read = this.#timed.get(context);
    if (read !== undefined) read.left += levels(query.related);
  }

  /** Returns the plan of reads that compare nothing, with the reason for it. */
  explain(query: TextQuery): { readonly plan: Plan; readonly text: string } {
    const explained = (plan: Plan, reason: string) => ({ plan, text: `${NAMES[plan]}: ${reason}` });
    if (this.#plan !== "auto") return explained(this.#plan, "set by an option");
    const { trial, times } = this.#kindOf(query);
    if (trial.decision !== undefined) {
      const { plan, ratio } = trial.decision;
      const reads = `served ${ratio.toFixed(2)} times as many reads as the other plan`;
      return explained(plan, `${reads} while the database was saturated`);
    }
    if (times.decision !== undefined) {
      const { plan, ratio } = times.decision;
      return explained(plan, `the other plan took ${ratio.toFixed(2)} times as long`);
    }
    const count = levels(query.related);
    const trip = this.#roundTrip === undefined ? "not measured yet" : `${this.#roundTrip.toFixed(2)} ms`;
    return explained(this.#usual(count), `a round trip takes ${trip}, and the query has ${count} levels`);
  }

  #usual(count: number): Plan {
    return saved(count, this.#roundTrip) > WORTH ? "one" : "flat";
  }

  #kindOf(query: TextQuery): Kind {
    const name = kindName(query);
    const before = this.#kinds.get(name);
    if (before !== undefined) return before;
    const [oldest] = this.#kinds.keys();
    if (oldest !== undefined && this.#kinds.size >= MAX_KINDS) this.#kinds.delete(oldest);
    const kind = { trial: new PlanTrial(this.traffic, this.#served), times: new PlanTimes() };
    this.#kinds.set(name, kind);
    return kind;
  }

  async measure(): Promise<void> {
    this.#isMeasuring = true;
    try {
      await this.#database.session(async (connection) => {
        const trips: number[] = [];
        for (let probe = 0; probe < PROBES; probe++) {
          const start = performance.now();
          await ask(connection, this.#dialect, sql`select 1`);
          trips.push(performance.now() - start);
        }
        // The shortest trip is the network's. Longer ones also waited for this process or for other statements.
        this.#roundTrip = Math.min(...trips);
        this.#measured = Date.now();
      });
    } finally {
      this.#isMeasuring = false;
    }
  }

  #remeasure(): void {
    if (this.#isMeasuring || Date.now() - this.#measured < EVERY) return;
    this.measure().catch(() => {});
  }
}

/** Milliseconds of waiting that the single statement saves. */
function saved(count: number, roundTrip: number | undefined): number {
  return roundTrip === undefined ? 0 : (count - 1) * roundTrip;
}

/** Returns the number of statements that the flat plan runs. */
function levels(related: TextQuery["related"]): number {
  let count = 1;
  for (const query of related.values()) count += levels(query.related) - (query.goesBack ? 1 : 0);
  return count;
}

/**
 * Names the kind of a read: its relations, and about how many rows each list has. Filters and fields change its cost
 * less, and aliases nothing.
 */
function kindName({ resource, limit, related }: Pick<TextQuery, "resource" | "limit" | "related">): string {
  let name = `${resource.name} ${32 - Math.clz32(limit)}`;
  for (const query of related.values()) {
    name += query.goesBack ? ` ${query.relation.name}^` : ` ${query.relation.name}(${kindName(query)})`;
  }
  return name;
}
