import type { TextQuery } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Database } from "./database.ts";
import { ask } from "./dialect/ask.ts";
import type { Dialect } from "./dialect/dialect.ts";

/**
 * How to read a list with relations. `"flat"` runs one statement for each level. `"one"` runs a single statement that
 * returns JSON. `"auto"` picks the faster one by the measured round-trip time of the database.
 */
export type ReadPlan = "auto" | "flat" | "one";

const PROBES = 5;
const EVERY = 30_000;

/**
 * Milliseconds of waiting that the single statement must save. Building its JSON text costs the database about half as
 * much again as reading the rows, and this process less than half. A TCP connection is slow enough to pay for that even
 * on one machine; a Unix socket is not.
 */
const WORTH = 0.05;

/** Chooses the plan of a nested read. */
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

  /** Shortest measured round trip in milliseconds; `undefined` until the first measurement. */
  get roundTrip(): number | undefined {
    return this.#roundTrip;
  }

  prefersOne(query: Pick<TextQuery, "related">): boolean {
    if (this.#plan !== "auto") return this.#plan === "one";
    this.#remeasure();
    return saved(levels(query.related), this.#roundTrip) > WORTH;
  }

  /** Names the chosen plan and the reason for it. */
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
