import { randomUUID } from "node:crypto";
import type { Claim, ClaimResult } from "@bifocal/core/store";
import type { IdempotencyStore } from "@bifocal/core";
import { expect, test } from "vitest";

const ANSWER = { receipt: { key: "Emma ✓", created: true } };

/** Creates a claim. Times are in milliseconds from now. */
export function claimOf(token: string, { fingerprint = "a", lease = 60_000, expires = 120_000 } = {}): Claim {
  return { token, fingerprint, lease: Date.now() + lease, expires: Date.now() + expires };
}

/** The common cases of every store of idempotency keys, with two instances that share their keys. */
export function idempotencyCases(stores: () => readonly [IdempotencyStore, IdempotencyStore]): void {
  test("are claimed once, and return the result from then on", async () => {
    const token = randomUUID();
    const [one, other] = stores();
    expect(await one.claim(claimOf(token))).toEqual({ kind: "new" });
    expect(await other.claim(claimOf(token, { fingerprint: "b" }))).toEqual({ kind: "running", fingerprint: "a" });
    await one.complete(token, ANSWER);
    const done = { kind: "done", fingerprint: "a", answer: ANSWER };
    expect(await other.claim(claimOf(token))).toEqual(done);
    expect(await one.claim(claimOf(token, { fingerprint: "b" }))).toEqual(done);
  });

  test("can be released", async () => {
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

  test("are free when the lease of a crashed request expires", async () => {
    const token = randomUUID();
    const [one, other] = stores();
    await one.claim(claimOf(token, { lease: 50 }));
    expect(await other.claim(claimOf(token))).toMatchObject({ kind: "running" });
    await expect.poll(async () => (await other.claim(claimOf(token, { lease: 1 }))).kind, { interval: 60 }).toBe("new");
  });

  test("are removed when they expire", async () => {
    const token = randomUUID();
    const [one, other] = stores();
    await one.claim(claimOf(token, { expires: 100 }));
    await one.complete(token, ANSWER);
    expect(await other.claim(claimOf(token))).toMatchObject({ kind: "done" });
    await expect.poll(async () => (await other.claim(claimOf(token))).kind, { interval: 120 }).toBe("new");
  });

  test("are claimed by one of fifty concurrent requests", async () => {
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
