/** What is used of `pg`, which is installed by those who need it. */
export interface PgModule {
  readonly Pool: new (options: PoolOptions) => AnyPool;
  readonly Client: new (options: ClientOptions) => AnyClient & { connect(): Promise<void>; end(): Promise<void> };
}

export interface ClientOptions {
  readonly connectionString: string;
  readonly connectionTimeoutMillis: number;
  readonly options: string;
  readonly application_name: string;
}

export interface PoolOptions extends ClientOptions {
  readonly max: number;
}

export interface AnyClient {
  readonly processID?: number;
  query(
    config: QueryConfig,
  ): Promise<{ readonly rows: readonly (readonly unknown[])[]; readonly rowCount: number | null }>;
  release(error?: Error): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

export interface AnyPool {
  connect(): Promise<AnyClient>;
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): unknown;
}

interface QueryConfig {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly name?: string;
  readonly rowMode?: "array";
  readonly types?: { readonly getTypeParser: () => (text: string) => unknown };
}

/** Throws with what to do where it is not installed. */
export async function importPg(): Promise<PgModule> {
  try {
    const loaded = (await import("pg")) as unknown as { readonly default: PgModule };
    return loaded.default;
  } catch (cause) {
    throw new Error("A PostgreSQL store needs the package 'pg': npm install pg", { cause });
  }
}
