import type { DatabaseSync, StatementSync } from "node:sqlite";
import { createTurns, type Json, type StoreContext, throwIfOver } from "@bifocal/core/store";
import type { Answer, Connection, Database, Statement } from "../../database.ts";
import { bind } from "../../statement/slot.ts";

import { faultOf } from "./sqlite-faults.ts";
import { LOWER } from "./sqlite-dialect.ts";

export interface SqliteOptions {
  /** A path, or `:memory:`. */
  readonly file: string;
  /** Milliseconds to wait for another process that writes. */
  readonly busyTimeout: number;
}

/** Statements that were not used for longest are forgotten beyond this many. */
const MOST_PREPARED = 500;

/**
 * One file by `node:sqlite`: a connection that writes and one that reads, so that nobody sees a transaction before it is
 * committed. In memory both are one, and reads wait for a transaction to end.
 */
export async function sqliteDatabase({ file, busyTimeout }: SqliteOptions): Promise<Database> {
  const { DatabaseSync: Sqlite } = await import("node:sqlite");
  const isMemory = file === ":memory:" || file === "";
  const open = (): SqliteConnection => new SqliteConnection(new Sqlite(file), busyTimeout);
  const writer = open();
  if (!isMemory) await untilFree(() => writer.run("pragma journal_mode = wal; pragma synchronous = full"));
  const reader = isMemory ? writer : open();
  if (!isMemory) reader.run("pragma query_only = on");
  const turns = createTurns();

  return {
    query(statement, values, context) {
      if (isRead(statement.sql)) {
        return isMemory
          ? turns.afterTurn(() => writer.query(statement, values, context))
          : reader.query(statement, values, context);
      }
      return turns.afterTurn(() => writer.query(statement, values, context));
    },
    run: (text) => turns.afterTurn(() => writer.run(text)),
    session: (work) => turns.takeTurn(() => work(writer)),
    close() {
      if (reader !== writer) reader.close();
      writer.close();
    },
  };
}

const [TRIES, PAUSE] = [100, 30];

/** Several processes that open a new file together are in each other's way, whatever the time-out. */
async function untilFree(work: () => void): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      work();
      return;
    } catch (thrown) {
      if (tries === TRIES || faultOf(thrown)?.kind !== "retry") throw thrown;
      await new Promise((resolve) => setTimeout(resolve, PAUSE * (0.5 + Math.random())));
    }
  }
}

function isRead(text: string): boolean {
  return /^\s*(select|with|explain)/i.test(text);
}

class SqliteConnection implements Connection {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync, busyTimeout: number) {
    this.#db = db;
    db.function(LOWER, { deterministic: true }, (text) => (typeof text === "string" ? text.toLowerCase() : text));
    db.exec(`pragma busy_timeout = ${Math.round(busyTimeout)}; pragma foreign_keys = on`);
  }

  query(statement: Statement, values: readonly Json[], context?: StoreContext): Answer {
    // It cannot be interrupted, so this is the last time to look.
    if (context !== undefined) throwIfOver(context);
    const prepared = this.#prepare(statement.sql);
    const bound = bind(statement.parameters, values) as (string | number | bigint | null)[];
    if (prepared.columns().length > 0) {
      const rows = prepared.all(...bound) as unknown as readonly (readonly unknown[])[];
      return { rows, affected: rows.length };
    }
    return { rows: [], affected: Number(prepared.run(...bound).changes) };
  }

  run(text: string): void {
    this.#db.exec(text);
  }

  close(): void {
    this.#prepared.clear();
    this.#db.close();
  }

  #prepare(text: string): StatementSync {
    const known = this.#prepared.get(text);
    if (known !== undefined) {
      this.#prepared.delete(text);
      this.#prepared.set(text, known);
      return known;
    }
    const prepared = this.#db.prepare(text);
    prepared.setReturnArrays(true);
    this.#prepared.set(text, prepared);
    if (this.#prepared.size > MOST_PREPARED) this.#prepared.delete(this.#prepared.keys().next().value as string);
    return prepared;
  }
}
