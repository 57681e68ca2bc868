import { type RateLimitOptions, type RateLimitStore, rateLimit } from "@bifocal/core/rate-limit";
import { silentLog } from "@bifocal/core";
import { redisRateLimits } from "@bifocal/redis";
import { brokers, servers, startTcpProxy, type TcpProxy } from "@bifocal/test-servers";
import { createPool } from "mysql2";
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { createLibrary, type Library, user } from "./library.ts";

interface Shared {
  readonly missing: string | undefined;
  /** A separate store per instance. `port` connects through a proxy. */
  readonly create: (port?: number) => Promise<RateLimitStore>;
  readonly target: { readonly host: string; readonly port: number };
}

const redis = brokers.find(({ name }) => name === "redis");
const postgres = brokers.find(({ name }) => name === "postgres");
const mysql = servers.find(({ name }) => name === "mysql");
const mysqlDatabase = mysql?.missing === undefined ? await mysql?.create() : undefined;
const mysqlUrl = new URL(mysqlDatabase?.url ?? "mysql://127.0.0.1");
const postgresUrl = new URL(postgres?.url ?? "");
/** Each run uses its own table. */
const table = `bifocal_rate_limit_${randomUUID().slice(0, 8)}`;

const at = (url: URL, port: number | undefined): string => {
  const moved = new URL(url);
  if (port !== undefined) moved.port = String(port);
  return moved.href;
};

const STORES: Readonly<Record<string, Shared>> = {
  Redis: {
    missing: redis?.missing,
    create: async (port) => redisRateLimits({ url: at(new URL(redis?.url ?? ""), port) }),
    target: { host: redis?.host ?? "", port: redis?.port ?? 0 },
  },
  PostgreSQL: {
    missing: postgres?.missing,
    create: async (port) => {
      const pool = new pg.Pool({ connectionString: at(postgresUrl, port), max: 4 });
      pool.on("error", () => {});
      return { type: "postgres", client: pool, table, close: () => void pool.end() };
    },
    target: { host: postgresUrl.hostname, port: Number(postgresUrl.port) },
  },
  "MySQL or MariaDB": {
    missing: mysql?.missing,
    create: async (port) => {
      const pool = createPool({ uri: at(mysqlUrl, port), connectionLimit: 4, connectTimeout: 1_000 });
      const database = mysqlUrl.pathname.slice(1);
      return { type: "mysql", client: pool, database, close: () => pool.end(() => {}) };
    },
    target: { host: mysqlUrl.hostname, port: Number(mysqlUrl.port) },
  },
};

afterAll(async () => {
  await mysqlDatabase?.drop();
  if (STORES["PostgreSQL"]?.missing === undefined) {
    const client = new pg.Client({ connectionString: postgresUrl.href });
    await client.connect();
    await client.query(`drop table if exists ${table}`);
    await client.end();
  }
});

/** Instances of one API that share their counts, each with its own connection. */
async function start(
  shared: Shared,
  count: number,
  options: RateLimitOptions,
  proxy?: TcpProxy,
): Promise<readonly Library[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const store = await shared.create(proxy?.port);
      return createLibrary({ rateLimit: rateLimit({ timeout: 5_000, costPerPoint: 1, ...options, store }) });
    }),
  );
}

const outcome = (api: Library, id: string): Promise<string> =>
  api
    .as(user(id))
    .author.get(1)
    .then(
      () => "answered",
      (error: { readonly code: string }) => error.code,
    );

const countOf = (all: readonly string[], one: string): number => all.filter((each) => each === one).length;

/** Waits until counts are in the shared store. Before its table and connection exist, each instance counts alone. */
async function warm(apis: readonly Library[]): Promise<void> {
  await Promise.all(apis.map((api) => outcome(api, randomUUID())));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await Promise.all(apis.map((api) => outcome(api, randomUUID())));
}

for (const [name, shared] of Object.entries(STORES)) {
  describe.skipIf(shared.missing !== undefined)(
    `by ${name}${shared.missing === undefined ? "" : `: ${shared.missing}`}`,
    () => {
      test("I04: four instances share the points of one", { timeout: 60_000 }, async () => {
        const apis = await start(shared, 4, { points: 100, duration: 600 });
        await warm(apis);
        const id = randomUUID();
        const all = await Promise.all(Array.from({ length: 400 }, (_, n) => outcome(apis[n % 4] as Library, id)));
        expect([countOf(all, "answered"), countOf(all, "RATE_LIMITED")]).toEqual([100, 300]);
        await Promise.all(apis.map((api) => api.close()));
      });

      test("I05: counts on each instance while the store is unavailable, or follows `whenDown`", {
        timeout: 60_000,
      }, async () => {
        const proxy = await startTcpProxy(shared.target);
        const options = { points: 40, duration: 600, instances: 2, timeout: 300 };
        const warnings: string[] = [];
        const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
        const [local, refusing, allowing] = await Promise.all(
          (["count", "refuse", "allow"] as const).map(async (whenDown) => {
            const limiter = rateLimit({
              costPerPoint: 1,
              ...options,
              whenDown,
              store: await shared.create(proxy.port),
            });
            return createLibrary({ rateLimit: limiter, log });
          }),
        );
        const apis = [local, refusing, allowing] as readonly Library[];
        await warm(apis);
        const id = randomUUID();
        expect(await Promise.all(apis.map((api) => outcome(api, id)))).toEqual(["answered", "answered", "answered"]);
        await proxy.refuse();
        warnings.length = 0;
        const ask = async (api: Library | undefined): Promise<readonly string[]> => {
          const all: string[] = [];
          for (let n = 0; n < 30; n++) all.push(await outcome(api as Library, id));
          return all;
        };
        const counted = await ask(local);
        expect([countOf(counted, "answered"), countOf(counted, "RATE_LIMITED")]).toEqual([20, 10]);
        expect(new Set(await ask(refusing))).toEqual(new Set(["UNAVAILABLE"]));
        expect(new Set(await ask(allowing))).toEqual(new Set(["answered"]));
        expect(warnings).toHaveLength(3);
        // The store is available again and still has its counts.
        await proxy.accept();
        await expect.poll(() => outcome(refusing as Library, id), { timeout: 20_000, interval: 500 }).toBe("answered");
        await Promise.all(apis.map((api) => api.close()));
        await proxy.close();
      });

      test("I05: doesn't wait for a store that doesn't respond", { timeout: 60_000 }, async () => {
        const proxy = await startTcpProxy(shared.target);
        const [api] = await start(shared, 1, { points: 100, duration: 600, timeout: 100 }, proxy);
        await warm([api as Library]);
        proxy.stall();
        const before = performance.now();
        expect(await outcome(api as Library, "slow")).toBe("answered");
        expect(performance.now() - before).toBeLessThan(2_000);
        const again = performance.now();
        for (let n = 0; n < 5; n++) await outcome(api as Library, "slow");
        expect(performance.now() - again).toBeLessThan(500);
        proxy.flow();
        await api?.close();
        await proxy.close();
      });
    },
  );
}
