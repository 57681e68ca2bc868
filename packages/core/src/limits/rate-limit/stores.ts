import type { EventEmitter } from "node:events";
import type { RateLimiterAbstract } from "rate-limiter-flexible";
import RateLimiterMySQL from "rate-limiter-flexible/lib/RateLimiterMySQL.js";
import RateLimiterPostgres from "rate-limiter-flexible/lib/RateLimiterPostgres.js";
import RateLimiterRedis from "rate-limiter-flexible/lib/RateLimiterRedis.js";

/** A store in which instances count together. `close` is called when the API closes. */
export type RateLimitStore =
  /** A client of `redis`, for example from `redisRateLimits()` of `@bifocal/redis`. */
  | { readonly type: "redis"; readonly client: object; readonly close?: () => void }
  /** A pool of `pg`. Creates the table (default `"bifocal_rate_limit"`) if it doesn't exist. */
  | { readonly type: "postgres"; readonly client: object; readonly table?: string; readonly close?: () => void }
  /**
   * A pool of `mysql2` with callbacks, and the name of its database. Creates the table (default `"bifocal_rate_limit"`)
   * if it doesn't exist.
   */
  | {
      readonly type: "mysql";
      readonly client: object;
      readonly database: string;
      readonly table?: string;
      readonly close?: () => void;
    };

export interface SharedCounter {
  /** Rejects if the store is unavailable. */
  readonly limiter: () => Promise<RateLimiterAbstract>;
}

interface CountOptions {
  readonly keyPrefix: string;
  readonly points: number;
  readonly duration: number;
}

/**
 * Creates a counter in a shared store. Callers over the limit are remembered in memory, so that rejecting them doesn't
 * use the store.
 */
export function createShared(store: RateLimitStore, counting: CountOptions): SharedCounter {
  const options = { ...counting, storeClient: store.client, inMemoryBlockOnConsumed: counting.points + 1 };
  if (store.type === "redis") {
    const limiter = Promise.resolve(
      new RateLimiterRedis({ ...options, useRedisPackage: true, rejectIfRedisNotReady: true }),
    );
    return { limiter: () => limiter };
  }
  if (store.type === "mysql") surviveLosses(store.client as EventEmitter);
  const { table: tableName = "bifocal_rate_limit" } = store;
  const open = (): Promise<RateLimiterAbstract> =>
    new Promise((resolve, reject) => {
      const settings = { ...options, storeType: "pool", tableName };
      const ready = (error?: Error): void => (error === undefined ? resolve(limiter) : reject(error));
      const limiter: RateLimiterAbstract =
        store.type === "mysql"
          ? new RateLimiterMySQL({ ...settings, dbName: store.database }, ready)
          : new RateLimiterPostgres(settings, ready);
    });
  let opened: Promise<RateLimiterAbstract> | undefined;
  return {
    async limiter() {
      opened ??= open();
      try {
        return await opened;
      } catch (thrown) {
        // Try again the next time, because the database may start late.
        opened = undefined;
        throw thrown;
      }
    },
  };
}

/** The pool replaces a broken connection. Without a listener, its error would end the process. */
function surviveLosses(pool: EventEmitter): void {
  pool.on("connection", (connection: EventEmitter) => connection.on("error", () => {}));
}
