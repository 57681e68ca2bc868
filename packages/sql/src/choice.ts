import type { TextQuery } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Database } from "./database.ts";
import { ask } from "./dialect/ask.ts";
import type { Dialect } from "./dialect/dialect.ts";

/**
 * How a list with relations is read. `"flat"`: a statement for each level. `"one"`: one statement in all, which answers
 * JSON. `"auto"`: whichever is faster, by how long the database takes to answer anything at all.
 */
export type ReadPlan = "auto" | "flat" | "one";

const PROBES = 5;
const EVERY = 30_000;

/**
 * Milliseconds of waiting that one statement has to save: its text costs the database half as much again as the rows do,
 * and this process less than half. Over TCP it is worth that even on one machine; over a socket it is not.
 */
const WORTH = 0.05;

/** Chooses between the plans of a nested read. */
export class Choice {
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

  /** Milliseconds that a round trip takes at least; `undefined` until it was measured. */
  get roundTrip(): number | undefined {
    return this.#roundTrip;
  }

  prefersOne(query: Pick<TextQuery, "related">): boolean {
    if (this.#plan !== "auto") return this.#plan === "one";
    this.#remeasure();
    return saved(levels(query.related), this.#roundTrip) > WORTH;
  }

  /** Which plan, and why. */
  explain(query: Pick<TextQuery, "related">): string {
    const plan = this.prefersOne(query) ? "one statement" : "a statement for each level";
    if (this.#plan !== "auto") return `${plan}: set by an option`;
    const trip = this.#roundTrip === undefined ? "not measured yet" : `${this.#roundTrip.toFixed(2)} ms`;
    return `${plan}: a round trip takes ${trip}, and the query has ${levels(query.related)} levels`;
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
        // The shortest: the others waited for this process, or for others.
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

/** Milliseconds that one statement waits less. */
function saved(count: number, roundTrip: number | undefined): number {
  return roundTrip === undefined ? 0 : (count - 1) * roundTrip;
}

/** How many statements the flat plan takes. */
function levels(related: TextQuery["related"]): number {
  let count = 1;
  for (const query of related.values()) count += levels(query.related) - (query.goesBack ? 1 : 0);
  return count;
}
