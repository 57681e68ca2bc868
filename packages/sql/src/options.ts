import type { Dialect as KyselyDialect, Kysely } from "kysely";
import type { ReadPlan } from "./choice.ts";
import type { DialectName } from "./dialect/dialect.ts";
import type { NamingOptions } from "./table/resolve-tables.ts";

export interface SqlStoreOptions extends NamingOptions {
  /**
   * `postgres://…`, `mysql://…`, `mariadb://…`, or an SQLite file: `sqlite:books.db`, `books.db`, `:memory:`. The store
   * creates its own pool.
   */
  readonly url?: string;
  /** A Kysely dialect with its own pool. */
  readonly dialect?: KyselyDialect;
  /** The application's Kysely instance. The application must close it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- Any application's tables.
  readonly kysely?: Kysely<any>;
  /** Maximum number of connections of the store's own pool. Default 10. */
  readonly max?: number;
  /** Milliseconds to wait for a connection of the store's own pool. Default 5,000. */
  readonly connectTimeout?: number;
  /**
   * Whether statements are kept prepared on the server. Default true. Set it to false behind a pooler that assigns
   * connections per transaction.
   */
  readonly prepare?: boolean;
  /** How to read lists with relations. Default `"auto"`, which measures the plans and keeps the faster one. */
  readonly plan?: ReadPlan;
  /**
   * Creates missing tables when the store opens. Default true on SQLite and false on other databases; use `bifocal db
   * apply` there.
   */
  readonly autoCreate?: boolean;
  /**
   * How long the change log keeps changes for subscribers who resume: `keepFor` in seconds (default one day), and at
   * most `most` changes (default 1,000,000).
   */
  readonly events?: { readonly keepFor?: number; readonly most?: number };
  /**
   * Whether PostgreSQL limits the rows of each tenant as well, by policies that migrations create. Needs a `url` and a
   * role that is no superuser. Default false.
   */
  readonly rowLevelSecurity?: boolean;
  /** Whether new tables have foreign keys for their references. Default true. */
  readonly foreignKeys?: boolean;
}

/** Returns the dialect of a URL. Throws if the URL isn't supported. */
export function dialectOf(url: string): DialectName {
  if (/^postgres(ql)?:\/\//i.test(url)) return "postgres";
  if (/^(mysql|mariadb):\/\//i.test(url)) return "mysql";
  if (/^(sqlite|file):/i.test(url) || url === ":memory:" || /^(?![a-z][a-z\d+.-]+:).*\.(db|sqlite3?)$/i.test(url))
    return "sqlite";
  throw new Error(
    `sqlStore() doesn't support the URL '${withoutSecret(url)}'. Use postgres://, mysql://, mariadb:// or sqlite:.`,
  );
}

/** Masks the password for error messages. */
function withoutSecret(url: string): string {
  return url.replace(/:\/\/[^@/]*@/, "://…@");
}

/** Returns the path in `sqlite:books.db`, `sqlite://books.db` or `file:///var/books.db`. */
export function sqliteFile(url: string): string {
  return url.replace(/^(sqlite|file):(\/\/)?/i, "");
}
