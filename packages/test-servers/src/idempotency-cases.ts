import { randomUUID } from "node:crypto";
import type { Claim, ClaimResult, IdempotencyStore } from "@bifocal/core";
import { expect, test } from "vitest";

const ANSWER = { receipt: { key: "Emma ✓", created: true } };

/** A claim that is good for a while; times in milliseconds from now. */
export function claimOf(token: string, { fingerprint = "a", lease = 60_000, expires = 120_000 } = {}): Claim {
  return { token, fingerprint, lease: Date.now() + lease, expires: Date.now() + expires };
}

/** What every store of idempotency keys does, shown on two that share what they keep. */
export function idempotencyCases(stores: () => readonly [IdempotencyStore, IdempotencyStore]): void {
  test("are taken once, and answered from then on", async () => {
    const token = randomUUID();
    const [one, other] = stores();
    expect(await one.claim(claimOf(token))).toEqual({ kind: "new" });
    expect(await other.claim(claimOf(token, { fingerprint: "b" }))).toEqual({ kind: "running", fingerprint: "a" });
    await one.complete(token, ANSWER);
    const done = { kind: "done", fingerprint: "a", answer: ANSWER };
    expect(await other.claim(claimOf(token))).toEqual(done);
    expect(await one.claim(claimOf(token, { fingerprint: "b" }))).toEqual(done);
  });

  test("may be given back", async () => {
    const token = randomUUID();
    const [one, other] = stores();
    await one.claim(claimOf(token));
    await one.release(token);
    expect(await other.claim(claimOf(token, { fingerprint: "b" }))).toEqual({ kind: "new" });
  });

  test("keep an empty receipt", async () => {
    const token = randomUUID();
    const [one, other] = stores();
    await one.claim(claimOf(token));
    await one.complete(token, { receipt: null });
    expect(await other.claim(claimOf(token))).toMatchObject({ answer: { receipt: null } });
  });

  test("of a request that has died are free when its lease is over", async () => {
    const token = randomUUID();
    const [one, other] = stores();
    await one.claim(claimOf(token, { lease: 50 }));
    expect(await other.claim(claimOf(token))).toMatchObject({ kind: "running" });
    await expect.poll(async () => (await other.claim(claimOf(token, { lease: 1 }))).kind, { interval: 60 }).toBe("new");
  });

  test("are forgotten when they expire", async () => {
    const token = randomUUID();
    const [one, other] = stores();
    await one.claim(claimOf(token, { expires: 100 }));
    await one.complete(token, ANSWER);
    expect(await other.claim(claimOf(token))).toMatchObject({ kind: "done" });
    await expect.poll(async () => (await other.claim(claimOf(token))).kind, { interval: 120 }).toBe("new");
  });

  test("go to one of fifty that ask at once", async () => {
    const token = randomUUID();
    const [one, other] = stores();
    const asked = Array.from(
      { length: 50 },
      async (_, n): Promise<ClaimResult> => (n % 2 === 0 ? one : other).claim(claimOf(token)),
    );
    const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "new")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "running")).toHaveLength(49);
  });
}
