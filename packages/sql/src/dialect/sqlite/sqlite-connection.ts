import type { DatabaseSync, StatementSync } from "node:sqlite";
import { createLru } from "@bifocal/core/internal";
import { type Json, type MaybePromise, type StoreContext, throwIfOver } from "@bifocal/core/store";
import type { StatementResult, Connection, Statement } from "../../database.ts";
import { bind } from "../../statement/slot.ts";
import { GO_ON, STOP } from "./sqlite-guard.ts";
import { addWordFunctions, HAS_WORD } from "./sqlite-words.ts";

export type Bound = string | number | bigint | null;

/** Runs a read in another thread. */
export type ReadElsewhere = (
  sql: string,
  values: readonly Bound[],
  context: StoreContext | undefined,
) => Promise<readonly (readonly unknown[])[]>;

/** Maximum characters of SQL that stay prepared. */
const MAX_CHARACTERS = 1_000_000;
/** Milliseconds that a read may take on this thread if a worker thread or another statement can run it instead. */
const BUDGET = 10;
/** Statements that run with every write, and so stay prepared. */
const TRANSACTION = /^(begin|commit|rollback|savepoint|release)[a-z ]*$/;
/** Calls of the guard before the time is measured. A pause of the process then doesn't make a short read look slow. */
const FREE_CALLS = 4;
/** Milliseconds for which a slow statement goes straight to a worker thread. */
const REMEMBERED = 10_000;

interface Prepared {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

class BudgetExceeded extends Error {}

/** A connection on this thread. Its statements block the event loop. */
export class SqliteConnection implements Connection {
  readonly #db: DatabaseSync;
  readonly #elsewhere: ReadElsewhere | undefined;
  readonly #prepared = createLru<Prepared>(MAX_CHARACTERS);
  /** Statements that took too long, with the time until which this is remembered. */
  readonly #long = new WeakMap<Statement, number>();
  /** The context of the running statement. */
  #context: StoreContext | undefined;
  #budget = Number.POSITIVE_INFINITY;
  #calls = 0;
  #limit = 0;
  /** Why the guard stopped the running statement. */
  #stopReason: unknown;

  constructor(db: DatabaseSync, busyTimeout: number, elsewhere?: ReadElsewhere) {
    this.#db = db;
    this.#elsewhere = elsewhere;
    db.function(GO_ON, () => this.#goOn());
    addWordFunctions(db);
    db.exec(`pragma busy_timeout = ${Math.round(busyTimeout)}; pragma foreign_keys = on`);
  }

  query(statement: Statement, values: readonly Json[], context?: StoreContext): MaybePromise<StatementResult> {
    if (context !== undefined) throwIfOver(context);
    // Other threads don't have the function.
    const isHere = statement.sql.includes(HAS_WORD);
    const hasOther = statement.isRead === true && !isHere && (statement.thorough ?? this.#elsewhere) !== undefined;
    if (!hasOther) return this.#run(statement, values, context, Number.POSITIVE_INFINITY);
    const until = this.#long.get(statement);
    if (until !== undefined && performance.now() < until) return this.#runLong(statement, values, context);
    try {
      return this.#run(statement, values, context, BUDGET);
    } catch (thrown) {
      if (!(thrown instanceof BudgetExceeded)) throw thrown;
      this.#long.set(statement, performance.now() + REMEMBERED);
      return this.#runLong(statement, values, context);
    }
  }

  run(text: string): void {
    if (TRANSACTION.test(text)) this.#prepare(text).statement.run();
    else this.#db.exec(text);
  }

  close(): void {
    this.#db.close();
  }

  #runLong(
    given: Statement,
    values: readonly Json[],
    context: StoreContext | undefined,
  ): MaybePromise<StatementResult> {
    const statement = given.thorough ?? given;
    if (this.#elsewhere === undefined) return this.#run(statement, values, context, Number.POSITIVE_INFINITY);
    const read = this.#elsewhere(statement.sql, boundBy(statement, values), context);
    return read.then((rows) => ({ rows, affected: rows.length }));
  }

  #run(
    statement: Statement,
    values: readonly Json[],
    context: StoreContext | undefined,
    budget: number,
  ): StatementResult {
    const { statement: prepared, hasRows } = this.#prepare(statement.sql);
    const bound = boundBy(statement, values);
    this.#context = context;
    this.#budget = budget;
    this.#calls = 0;
    this.#stopReason = undefined;
    try {
      if (!hasRows) return { rows: [], affected: Number(prepared.run(...bound).changes) };
      const rows = prepared.all(...bound) as unknown as readonly (readonly unknown[])[];
      return { rows, affected: rows.length };
    } catch (thrown) {
      throw this.#stopReason ?? thrown;
    }
  }

  /**
   * The guard condition calls this for one row in 31. The event loop is blocked meanwhile, so only the clock shows that
   * the deadline has passed.
   */
  #goOn(): number | bigint {
    if (++this.#calls < FREE_CALLS) return 1;
    const now = performance.now();
    if (this.#calls === FREE_CALLS) this.#limit = now + this.#budget;
    try {
      if (this.#context !== undefined) throwIfOver(this.#context);
      if (now <= this.#limit) return 1;
      this.#stopReason = new BudgetExceeded();
    } catch (reason) {
      this.#stopReason = reason;
    }
    return STOP;
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(text);
    statement.setReturnArrays(true);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    this.#prepared.set(text, prepared, text.length);
    return prepared;
  }
}

function boundBy(statement: Statement, values: readonly Json[]): Bound[] {
  return bind(statement.parameters, values) as Bound[];
}
