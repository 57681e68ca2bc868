import type { Dialect as KyselyDialect, Kysely } from "kysely";
import type { ReadPlan } from "./choice.ts";
import type { DialectName } from "./dialect/dialect.ts";
import type { NamingOptions } from "./table/resolve-tables.ts";

export interface SqlStoreOptions extends NamingOptions {
  /** `postgres://…`, `mysql://…`, `mariadb://…`, or a file for SQLite: `sqlite:books.db`, `books.db`, `:memory:`. The store has its own pool. */
  readonly url?: string;
  /** A dialect of Kysely, with the pool that it was given. */
  readonly dialect?: KyselyDialect;
  /** The application's own Kysely instance, which stays its to close. */
  // oxlint-disable-next-line typescript/no-explicit-any -- Any application's tables.
  readonly kysely?: Kysely<any>;
  /** How many connections at most, where the store has its own pool. Default 10. */
  readonly max?: number;
  /** Milliseconds to wait for a connection, where the store has its own pool. Default 5,000. */
  readonly connectTimeout?: number;
  /** Whether statements are kept prepared on the server. Default true; a pool that lends connections by transaction may need false. */
  readonly prepare?: boolean;
  /** How lists with relations are read. Default `"auto"`: by the time that a round trip to the database takes. */
  readonly plan?: ReadPlan;
  /** Makes the tables that are missing, when the store is opened. Default: on SQLite only; elsewhere `bifocal db apply` does it. */
  readonly autoCreate?: boolean;
  /** How long changes are kept for subscribers who resume: seconds (default a day), and how many at most (default 1,000,000). */
  readonly events?: { readonly keepFor?: number; readonly most?: number };
  /** Whether new tables hold references by foreign keys. Default true. */
  readonly foreignKeys?: boolean;
}

/** Which database a URL is of. Throws in words for one that is of none. */
export function dialectOf(url: string): DialectName {
  if (/^postgres(ql)?:\/\//i.test(url)) return "postgres";
  if (/^(mysql|mariadb):\/\//i.test(url)) return "mysql";
  if (/^(sqlite|file):/i.test(url) || url === ":memory:" || /\.(db|sqlite3?)$/i.test(url)) return "sqlite";
  throw new Error(
    `sqlStore() doesn't support the URL '${withoutSecret(url)}'. Use postgres://, mysql://, mariadb:// or sqlite:.`,
  );
}

/** Passwords have no place in messages. */
function withoutSecret(url: string): string {
  return url.replace(/:\/\/[^@/]*@/, "://…@");
}

/** `sqlite:books.db`, `sqlite://books.db`, `file:///var/books.db` → the path. */
export function sqliteFile(url: string): string {
  return url.replace(/^(sqlite|file):(\/\/)?/i, "");
}
