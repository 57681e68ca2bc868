import { randomUUID } from "node:crypto";
import { type ClaimResult, type IdempotencyStore, memoryIdempotency } from "@bifocal/core";
import { brokers, startTcpProxy } from "@bifocal/test-servers";
import { afterAll, describe, expect, test } from "vitest";
import { redisIdempotency } from "../src/index.ts";

const redis = brokers.find(({ name }) => name === "redis");
const missing = redis?.missing;
const url = redis?.url ?? "";
const prefix = `test:${randomUUID()}:`;
const stores = [redisIdempotency({ url, prefix }), redisIdempotency({ url, prefix })];
afterAll(() => stores.forEach((store) => store.close()));

const ANSWER = { status: 201, headers: { ETag: '"1"' }, body: '{"title":"Emma ✓"}' };
const claimOf = (token: string, { fingerprint = "a", lease = 60_000, expires = 120_000 } = {}) => ({
  token,
  fingerprint,
  lease: Date.now() + lease,
  expires: Date.now() + expires,
});

const memory = memoryIdempotency();
const cases: readonly [
  name: string,
  missing: string | undefined,
  stores: readonly [IdempotencyStore, IdempotencyStore],
][] = [
  ["memory", undefined, [memory, memory]],
  ["Redis", missing, stores as [IdempotencyStore, IdempotencyStore] & typeof stores],
];

for (const [name, reason, [one, other]] of cases) {
  describe.skipIf(reason !== undefined)(`idempotency keys in ${name} ${reason ?? ""}`, () => {
    test("are taken once, and answered from then on", async () => {
      const token = randomUUID();
      expect(await one.claim(claimOf(token))).toEqual({ kind: "new" });
      expect(await other.claim(claimOf(token, { fingerprint: "b" }))).toEqual({ kind: "running", fingerprint: "a" });
      await one.complete(token, ANSWER);
      const done = { kind: "done", fingerprint: "a", answer: ANSWER };
      expect(await other.claim(claimOf(token))).toEqual(done);
      expect(await one.claim(claimOf(token, { fingerprint: "b" }))).toEqual(done);
    });

    test("may be given back", async () => {
      const token = randomUUID();
      await one.claim(claimOf(token));
      await one.release(token);
      expect(await other.claim(claimOf(token, { fingerprint: "b" }))).toEqual({ kind: "new" });
    });

    test("keep an answer without a body", async () => {
      const token = randomUUID();
      await one.claim(claimOf(token));
      await one.complete(token, { status: 204, headers: {}, body: null });
      expect(await other.claim(claimOf(token))).toMatchObject({ answer: { status: 204, headers: {}, body: null } });
    });

    test("of a request that has died are free when its lease is over", async () => {
      const token = randomUUID();
      await one.claim(claimOf(token, { lease: 50 }));
      expect(await other.claim(claimOf(token))).toMatchObject({ kind: "running" });
      await expect
        .poll(async () => (await other.claim(claimOf(token, { lease: 1 }))).kind, { interval: 60 })
        .toBe("new");
    });

    test("are forgotten when they expire", async () => {
      const token = randomUUID();
      await one.claim(claimOf(token, { expires: 100 }));
      await one.complete(token, ANSWER);
      expect(await other.claim(claimOf(token))).toMatchObject({ kind: "done" });
      await expect.poll(async () => (await other.claim(claimOf(token))).kind, { interval: 120 }).toBe("new");
    });

    test("go to one of fifty that ask at once", async () => {
      const token = randomUUID();
      const asked = Array.from(
        { length: 50 },
        async (_, n): Promise<ClaimResult> => (n % 2 === 0 ? one : other).claim(claimOf(token)),
      );
      const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === "new")).toHaveLength(1);
      expect(kinds.filter((kind) => kind === "running")).toHaveLength(49);
    });
  });
}

test.skipIf(missing !== undefined)(
  "a Redis that is away is UNAVAILABLE, soon, and back without a restart",
  async () => {
    const proxy = await startTcpProxy({ host: redis?.host ?? "", port: redis?.port ?? 0 });
    const store = redisIdempotency({ url: proxy.urlOf(url), prefix });
    expect(await store.claim(claimOf(randomUUID()))).toEqual({ kind: "new" });
    await proxy.refuse();
    const start = Date.now();
    await expect(store.claim(claimOf(randomUUID()))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(Date.now() - start).toBeLessThan(3_000);
    await proxy.accept();
    const claim = async (): Promise<string> => {
      try {
        return (await store.claim(claimOf(randomUUID()))).kind;
      } catch {
        return "away";
      }
    };
    await expect.poll(claim, { timeout: 10_000 }).toBe("new");
    store.close();
    await proxy.close();
  },
  20_000,
);
