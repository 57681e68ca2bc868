import { allow, defineApi, defineResource, type IdempotencyStore, silentLog, uuid } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { redisIdempotency } from "@bifocal/redis";
import { sqlIdempotency, sqlStore } from "@bifocal/sql";
import { brokers, servers, type TestDatabase } from "@bifocal/test-servers";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

const book = defineResource("book", {
  fields: { id: z.uuid(), title: z.string() },
  generated: { id: uuid() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

type Shared = IdempotencyStore & { readonly close: () => unknown };

/** An instance with its own connections. */
async function start(url: string, store: Shared) {
  const api = defineApi({
    resources: [book],
    store: sqlStore({ url, autoCreate: true, max: 4 }),
    idempotency: { store },
    log: silentLog,
  });
  const listener = nodeHttp(api);
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await listener.close(server);
      await store.close();
    },
  };
}

const postgres = servers.find(({ name }) => name === "postgres");
const redis = brokers.find(({ name }) => name === "redis");
const prefix = `test:${randomUUID()}:`;
const STORES: readonly (readonly [string, string | undefined, (url: string) => Shared])[] = [
  ["PostgreSQL", postgres?.missing, (url) => sqlIdempotency(url)],
  ["Redis", postgres?.missing ?? redis?.missing, () => redisIdempotency({ url: redis?.url ?? "", prefix })],
];

describe.each(STORES)("two instances that share keys in %s", (_, missing, create) => {
  let database: TestDatabase;
  let bases: readonly string[];
  let instances: readonly Awaited<ReturnType<typeof start>>[] = [];
  beforeAll(async () => {
    if (missing === undefined && postgres !== undefined) database = await postgres.create();
  });
  afterAll(() => database?.drop());
  beforeEach(async () => {
    if (missing !== undefined) return;
    instances = await Promise.all([1, 2].map(async () => start(database.url, create(database.url))));
    bases = instances.map(({ base }) => base);
  });
  afterEach(async () => {
    for (const one of instances) await one.close();
  });

  const make = async (base: string | undefined, key: string, title: string): Promise<Response> =>
    fetch(`${base}/books`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": `"${key}"` },
      body: JSON.stringify({ title }),
    });
  const count = async (title: string): Promise<number> => {
    const response = await fetch(`${bases[0]}/books`);
    return ((await response.json()) as { title: string }[]).filter((one) => one.title === title).length;
  };

  test.skipIf(missing !== undefined)("replay each other's responses", async () => {
    const [key, title] = [randomUUID(), randomUUID()];
    const first = await make(bases[0], key, title);
    const again = await make(bases[1], key, title);
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([201, null]);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(await again.text()).toBe(await first.text());
    expect((await make(bases[1], key, "another")).status).toBe(422);
    expect(await count(title)).toBe(1);
  });

  test.skipIf(missing !== undefined)("run only one of twenty concurrent requests", async () => {
    const [key, title] = [randomUUID(), randomUUID()];
    const all = await Promise.all(Array.from({ length: 20 }, async (__, at) => make(bases[at % 2], key, title)));
    const done = all.filter(({ status, headers }) => status === 201 && headers.get("idempotent-replayed") === null);
    expect(done).toHaveLength(1);
    expect(all.map(({ status }) => status).filter((status) => ![201, 409].includes(status))).toEqual([]);
    expect(await count(title)).toBe(1);
  });
});
