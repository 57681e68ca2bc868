import type { TextQuery } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Database } from "./database.ts";
import { ask } from "./dialect/ask.ts";
import type { Dialect } from "./dialect/dialect.ts";
import { type Plan, PlanTrial } from "./plan-trial.ts";
import { Traffic } from "./traffic.ts";

/**
 * How to read a list with relations. `"flat"` runs one statement for each level. `"one"` runs a single statement that
 * returns JSON. `"auto"` picks the faster one by the measured round-trip time of the database and, while the database is
 * saturated, by trying both.
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

/** Chooses the plan of a nested read. */
export class Choice {
  /** The statements of all operations on this database. */
  readonly traffic = new Traffic();
  /** By resource and number of levels. */
  readonly #trials = new Map<string, PlanTrial[]>();
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

  /** Counts a read and returns its plan. */
  next(query: TextQuery): Plan {
    if (this.#plan !== "auto") return this.#plan;
    this.#remeasure();
    const count = levels(query.related);
    return this.#trialOf(query.resource.name, count).next(this.#usual(count), performance.now());
  }

  /** Names the plan of the next read and the reason for it. */
  explain(query: TextQuery): string {
    if (this.#plan !== "auto") return `${NAMES[this.#plan]}: set by an option`;
    const count = levels(query.related);
    const decision = this.#trialOf(query.resource.name, count).decision;
    if (decision !== undefined) {
      const ratio = decision.ratio.toFixed(2);
      return `${NAMES[decision.plan]}: served ${ratio} times as many reads as the other plan while the database was saturated`;
    }
    const trip = this.#roundTrip === undefined ? "not measured yet" : `${this.#roundTrip.toFixed(2)} ms`;
    return `${NAMES[this.#usual(count)]}: a round trip takes ${trip}, and the query has ${count} levels`;
  }

  #usual(count: number): Plan {
    return saved(count, this.#roundTrip) > WORTH ? "one" : "flat";
  }

  #trialOf(resource: string, count: number): PlanTrial {
    let trials = this.#trials.get(resource);
    if (trials === undefined) this.#trials.set(resource, (trials = []));
    return (trials[count] ??= new PlanTrial(this.traffic));
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
