import type { Json, StoreContext } from "@bifocal/core/store";
import { CompiledQuery, Kysely, MysqlAdapter, PostgresAdapter, SqliteAdapter } from "kysely";
import type { StatementResult, Connection, Database, Statement } from "./database.ts";
import type { DialectName } from "./dialect/dialect.ts";
import type { Source } from "./opened.ts";
import type { SqlStoreOptions } from "./options.ts";
import { bind } from "./statement/slot.ts";

/** Kysely with any tables. */
type AnyKysely = Kysely<unknown>;

/**
 * Uses the connections of the application's Kysely. Its driver may parse values in its own way, so statements select
 * text.
 */
export function hostedDatabase({ kysely, dialect }: SqlStoreOptions): Source {
  const db: AnyKysely =
    (kysely as AnyKysely | undefined)?.withoutPlugins() ?? new Kysely({ dialect: dialect as never });
  return { database: overKysely(db, kysely === undefined), name: nameOf(db), isHosted: true };
}

function nameOf(db: AnyKysely): DialectName {
  const { adapter } = db.getExecutor();
  // The classes of another copy of Kysely have the same names.
  const name = adapter.constructor.name;
  if (adapter instanceof PostgresAdapter || /postgres|pglite/i.test(name)) return "postgres";
  if (adapter instanceof MysqlAdapter || /mysql/i.test(name)) return "mysql";
  if (adapter instanceof SqliteAdapter || /sqlite/i.test(name)) return "sqlite";
  throw new Error(`sqlStore() supports PostgreSQL, MySQL and SQLite, but not ${name}.`);
}

function overKysely(db: AnyKysely, isOwn: boolean): Database {
  return {
    ...connectionOf(db),
    session: (work) => db.connection().execute((connection) => work(connectionOf(connection))),
    close: () => (isOwn ? db.destroy() : undefined),
  };
}

function connectionOf(db: AnyKysely): Connection {
  const query = async (
    statement: Statement,
    values: readonly Json[],
    context?: StoreContext,
  ): Promise<StatementResult> => {
    context?.signal?.throwIfAborted();
    const compiled = CompiledQuery.raw(statement.sql, bind(statement.parameters, values));
    const { rows, numAffectedRows } = await db.executeQuery<Readonly<Record<string, unknown>>>(compiled);
    return { rows: rows.map((row) => Object.values(row)), affected: Number(numAffectedRows ?? rows.length) };
  };
  return {
    query,
    async run(text) {
      for (const one of text.split(/;\s*\n/))
        if (one.trim() !== "") await query({ sql: one, parameters: [], name: undefined }, []);
    },
  };
}
