import { randomUUID } from "node:crypto";
import { memoryIdempotency } from "@bifocal/core";
import { brokers, startTcpProxy } from "@bifocal/test-servers";
import { claimOf, idempotencyCases } from "@bifocal/test-servers/idempotency-cases";
import { afterAll, describe, expect, test } from "vitest";
import { redisIdempotency } from "../src/index.ts";

const redis = brokers.find(({ name }) => name === "redis");
const missing = redis?.missing;
const url = redis?.url ?? "";
const prefix = `test:${randomUUID()}:`;
const stores = [redisIdempotency({ url, prefix }), redisIdempotency({ url, prefix })] as const;
afterAll(() => stores.forEach((store) => store.close()));

describe.skipIf(missing !== undefined)(`idempotency keys in Redis ${missing ?? ""}`, () => {
  idempotencyCases(() => stores);
});

describe("idempotency keys in memory", () => {
  const memory = memoryIdempotency();
  idempotencyCases(() => [memory, memory]);
});

test.skipIf(missing !== undefined)(
  "returns UNAVAILABLE soon while Redis is down, and recovers without a restart",
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
