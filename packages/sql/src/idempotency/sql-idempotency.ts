import { BifocalError, type IdempotencyStore } from "@bifocal/core";
import { checkCallOptions, checkRequired } from "@bifocal/core/internal";
import type { Claim, ClaimResult, KeptAnswer } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { sqliteModule } from "../dialect/sqlite/sqlite-module.ts";
import type { StatementResult, Database } from "../database.ts";
import { toError } from "../errors.ts";
import { discover, findTables, openSource } from "../opened.ts";
import { dialectOf } from "../options.ts";
import { untilFree } from "../run.ts";
import { alone } from "../schema/alone.ts";
import { createMissing } from "../schema/create-tables.ts";
import { idempotencyTable } from "./idempotency-table.ts";

export interface SqlIdempotencyOptions {
  /** Same format as `sqlStore`'s `url`. The idempotency store has its own connections. */
  readonly url: string;
  /** Maximum number of connections. Default 4. */
  readonly max?: number;
  /** Milliseconds to wait for a connection. Default 5,000. */
  readonly connectTimeout?: number;
  /** Table name. The table is created on first use if it doesn't exist. Default `"bifocal_idempotency"`. */
  readonly table?: string;
}

/** Milliseconds that one statement may take. Another operation can lock an SQLite file for its whole duration. */
const STATEMENT_TIMEOUT_MS = 10_000;
const PRUNE_INTERVAL_MS = 60_000;
const MAX_ATTEMPTS = 10;

interface Opened {
  readonly database: Database;
  readonly dialect: Dialect;
}

/**
 * Stores the responses to requests with an `Idempotency-Key` in PostgreSQL, MySQL, MariaDB or SQLite. All instances
 * share them; their clocks should agree within seconds. Throws UNAVAILABLE if the database is unreachable, because
 * running a request twice would be worse.
 * @example defineApi({ resources, store: sqlStore(url), idempotency: { store: sqlIdempotency(url) } });
 */
export function sqlIdempotency(
  given: string | SqlIdempotencyOptions,
): IdempotencyStore & { readonly close: () => Promise<void> } {
  const options: SqlIdempotencyOptions = typeof given === "string" ? { url: given } : given;
  checkCallOptions("sqlIdempotency", options, {
    url: "a string",
    max: "a number of at least 0",
    connectTimeout: "a number of at least 0",
    table: "a string",
  });
  const { table = "bifocal_idempotency", max = 4, ...where } = options;
  checkRequired("sqlIdempotency", "url", where.url, '{ url: "postgres://localhost/books" }');
  if (dialectOf(where.url) === "sqlite") sqliteModule();
  const name = sql.id(table);
  let source: ReturnType<typeof openSource> | undefined;
  let opening: Promise<Opened> | undefined;
  let pruning: NodeJS.Timeout | undefined;

  async function open(): Promise<Opened> {
    source ??= openSource({ ...where, max }).catch((thrown: unknown) => {
      source = undefined;
      throw thrown;
    });
    const from = await source;
    const { database } = from;
    const dialect = await database.session(async (connection) => {
      const found = await discover(connection, from);
      await alone(connection, found, async () => {
        const there = await findTables(connection, found, [table]);
        await createMissing(connection, found, [idempotencyTable(found, table)], there);
      });
      return found;
    });
    pruning ??= setInterval(() => void prune().catch(() => {}), PRUNE_INTERVAL_MS).unref();
    return { database, dialect };
  }

  /** If opening fails, the next call tries again. */
  async function reach(): Promise<Opened> {
    const own = (opening ??= open());
    try {
      return await own;
    } catch (thrown) {
      if (opening === own) opening = undefined;
      throw thrown;
    }
  }

  /** Runs a statement with its own deadline, and retries it if it conflicts with others. */
  async function run(statementOf: (dialect: Dialect) => Sql): Promise<StatementResult> {
    const signal = AbortSignal.timeout(STATEMENT_TIMEOUT_MS);
    try {
      const { database, dialect } = await reach();
      const { sql: text, parameters } = statementOf(dialect).compile(dialect.compiler);
      const statement = { sql: text, parameters, name: undefined };
      return await untilFree({ signal }, async () => {
        try {
          return await database.query(statement, [], { signal });
        } catch (thrown) {
          throw toError(dialect, undefined, thrown);
        }
      });
    } catch (thrown) {
      throw away(thrown);
    }
  }

  const prune = (): Promise<StatementResult> => run(() => sql`delete from ${name} where expires <= ${Date.now()}`);

  async function tryClaim({ token, fingerprint, lease, expires }: Claim): Promise<ClaimResult | undefined> {
    const now = Date.now();
    await run(
      () =>
        sql`delete from ${name} where token = ${token} and (expires <= ${now} or (answer is null and lease <= ${now}))`,
    );
    const columns = sql.join(["token", "fingerprint", "lease", "expires"].map((one) => sql.id(one)));
    const values = sql.join([token, fingerprint, Math.ceil(lease), Math.ceil(expires)]);
    // Only one of several concurrent inserts succeeds; the others affect no row.
    const { affected } = await run(
      (dialect) => sql`insert into ${name} (${columns}) values (${values})${dialect.unlessThere("token")}`,
    );
    if (affected === 1) return { kind: "new" };
    const { rows } = await run(() => sql`select fingerprint as c0, answer as c1 from ${name} where token = ${token}`);
    const [row] = rows;
    // The claim was released between the two statements.
    if (row === undefined) return undefined;
    const [known, answer] = row as readonly [string, string | null];
    if (answer === null) return { kind: "running", fingerprint: known };
    return { kind: "done", fingerprint: known, answer: JSON.parse(answer) as KeptAnswer };
  }

  return {
    async claim(claim) {
      for (let tries = 1; ; tries++) {
        const result = await tryClaim(claim);
        if (result !== undefined) return result;
        if (tries === MAX_ATTEMPTS)
          throw away(new Error("The idempotency key is used by too many requests at the same time."));
      }
    },
    async complete(token, answer) {
      await run(() => sql`update ${name} set answer = ${JSON.stringify(answer)} where token = ${token}`);
    },
    async release(token) {
      await run(() => sql`delete from ${name} where token = ${token}`);
    },
    async close() {
      clearInterval(pruning);
      const from = await source?.catch(() => undefined);
      await from?.database.close();
    },
  };
}

function away(cause: unknown): BifocalError {
  const headers = { "Retry-After": "5" };
  return new BifocalError("UNAVAILABLE", "The store of idempotency keys is unavailable. Try again in a few seconds.", {
    cause,
    headers,
  });
}
