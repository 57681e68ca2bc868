import { importDriver } from "../import-driver.ts";

/** The part of `mysql2` that the store uses. Applications install it themselves. */
export interface Mysql2Module {
  createPool(options: PoolOptions): AnyPool;
  createConnection(options: PoolOptions): Promise<AnyConnection & { end(): Promise<void> }>;
}

export interface PoolOptions {
  readonly uri: string;
  readonly connectionLimit?: number;
  readonly connectTimeout: number;
  readonly timezone: "Z";
  readonly dateStrings: true;
  readonly jsonStrings: true;
  readonly supportBigNumbers: true;
  readonly bigNumberStrings: true;
  readonly charset: string;
  readonly flags: readonly string[];
  readonly maxPreparedStatements: number;
  /** Parses rows without code that is compiled from text. */
  readonly disableEval: boolean;
}

/** Parses a value of the text protocol; `next` parses it as the driver does by default. */
export type TypeCast = (field: { readonly type: string; string(): string | null }, next: () => unknown) => unknown;

export interface AnyConnection {
  readonly threadId: number;
  execute(options: {
    readonly sql: string;
    readonly rowsAsArray: true;
    readonly values: readonly unknown[];
  }): Promise<readonly [unknown, unknown]>;
  query(options: {
    readonly sql: string;
    readonly rowsAsArray: true;
    readonly values?: readonly unknown[];
    readonly typeCast?: TypeCast;
  }): Promise<readonly [unknown, unknown]>;
  release(): void;
  destroy(): void;
}

export interface AnyPool {
  getConnection(): Promise<AnyConnection>;
  end(): Promise<void>;
}

/** Imports `mysql2`. Throws an error with the install command if it isn't installed. */
export function importMysql2(): Promise<Mysql2Module> {
  return importDriver("MySQL", "mysql2", async () => (await import("mysql2/promise")) as unknown as Mysql2Module);
}
