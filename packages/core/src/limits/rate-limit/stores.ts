import type { EventEmitter } from "node:events";
import {
  type RateLimiterAbstract,
  RateLimiterMySQL,
  RateLimiterPostgres,
  RateLimiterRedis,
} from "rate-limiter-flexible";

/** Where instances count together. What is to be closed with the API has a `close`. */
export type RateLimitStore =
  /** A client of `redis`: `redisRateLimits()` of `@bifocal/redis` makes one. */
  | { readonly type: "redis"; readonly client: object; readonly close?: () => void }
  /** A pool of `pg`. The table (default `"bifocal_rate_limit"`) is made unless it is there. */
  | { readonly type: "postgres"; readonly client: object; readonly table?: string; readonly close?: () => void }
  /** A pool of `mysql2` with callbacks, and the name of its database. The table (default `"bifocal_rate_limit"`) is made unless it is there. */
  | {
      readonly type: "mysql";
      readonly client: object;
      readonly database: string;
      readonly table?: string;
      readonly close?: () => void;
    };

export interface SharedCounter {
  /** Rejects where the store cannot be used at the moment. */
  readonly limiter: () => Promise<RateLimiterAbstract>;
}

interface CountOptions {
  readonly keyPrefix: string;
  readonly points: number;
  readonly duration: number;
}

/** A counter in a shared store. Who is over the limit is remembered here, so that refusing costs the store nothing. */
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
        // A database that comes late is found the next time.
        opened = undefined;
        throw thrown;
      }
    },
  };
}

/** A connection that breaks is replaced by the pool; without listeners it would end the process. */
function surviveLosses(pool: EventEmitter): void {
  pool.on("connection", (connection: EventEmitter) => connection.on("error", () => {}));
}
