import { importDriver } from "../import-driver.ts";
import type { PostgresGroup } from "./postgres-group.ts";
import type { PostgresQuery } from "./postgres-query.ts";
import type { ByteStream } from "./row-messages.ts";

/** The part of `pg` that the store uses. Applications install it themselves. */
export interface PgModule {
  readonly Pool: new (options: PoolOptions) => AnyPool;
  readonly Client: new (options: ClientOptions) => AnyListener & Pick<AnyClient, "connection">;
}

export interface ClientOptions {
  readonly connectionString: string;
  readonly connectionTimeoutMillis: number;
  readonly options?: string;
  readonly application_name: string;
  readonly keepAlive: true;
}

export interface PoolOptions extends ClientOptions {
  readonly max: number;
  readonly idleTimeoutMillis: number;
  readonly Client: PgModule["Client"];
}

export interface AnyClient {
  readonly processID?: number;
  readonly connection: {
    readonly stream: { destroy(): unknown };
    /** Connects the parser to the socket. */
    attachListeners?(stream: ByteStream): void;
  };
  query(query: PostgresQuery | PostgresGroup): unknown;
  query(text: string): Promise<unknown>;
  release(error?: Error): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

type OnClient = (error: Error | undefined, client: AnyClient | undefined) => void;

/** A single connection outside the pool. */
export interface AnyListener {
  readonly processID?: number;
  query(config: {
    readonly name?: string;
    readonly text: string;
    readonly values?: readonly unknown[];
  }): Promise<unknown>;
  connect(): Promise<void>;
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  on(event: "notification", listener: (notification: { readonly payload?: string }) => void): unknown;
}

export interface AnyPool {
  connect(callback: OnClient): void;
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "connect", listener: (client: AnyClient) => void): unknown;
}

/** The protocol messages that a custom query object, such as `pg-cursor`'s, can send. */
export interface PgConnection {
  readonly stream: { cork?(): void; uncork?(): void };
  parse(message: { readonly text: string; readonly name: string; readonly types: readonly number[] }): void;
  bind(message: {
    readonly portal: string;
    readonly statement: string;
    readonly values: readonly unknown[];
    readonly valueMapper: (value: unknown) => string | null;
  }): void;
  execute(message: { readonly portal: string; readonly rows: number }): void;
  close(message: { readonly type: "S"; readonly name: string }): void;
  sync(): void;
}

/** Imports `pg`. Throws an error with the install command if it isn't installed. */
export async function importPg(): Promise<PgModule> {
  const loaded = await importDriver("PostgreSQL", "pg", () => import("pg"));
  return (loaded as unknown as { readonly default: PgModule }).default;
}
