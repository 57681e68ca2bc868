import { expect, test } from "vitest";
import { type IdempotencyStore, memoryIdempotency } from "./idempotency-store.ts";

const [LEASE, LIFETIME] = [60_000, 86_400_000];

function claim(store: IdempotencyStore, token: string): unknown {
  const now = Date.now();
  const claimed = store.claim({ token, fingerprint: "f", lease: now + LEASE, expires: now + LIFETIME });
  return (claimed as { readonly kind: unknown }).kind;
}

function run(store: IdempotencyStore, token: string): void {
  claim(store, token);
  void store.complete(token, { receipt: token });
}

test("drops the oldest completed requests, and no running ones, when there are too many", () => {
  const store = memoryIdempotency({ max: 3 });
  expect(claim(store, "running")).toBe("new");
  for (const token of ["a", "b", "c"]) run(store, token);
  expect(claim(store, "running")).toBe("running");
  expect(claim(store, "c")).toBe("done");
  expect(claim(store, "b")).toBe("done");
  expect(claim(store, "a")).toBe("new");
  // A released token is as young as its next claim.
  void store.release("a");
  run(store, "d");
  expect(claim(store, "b")).toBe("new");
});

test("drops requests in constant time when there are too many", () => {
  const [max, size] = [50_000, 5_000];
  const store = memoryIdempotency({ max });
  const times = Array.from({ length: 40 }, (_, part) => {
    const start = performance.now();
    for (let at = 0; at < size; at++) run(store, `${part} ${at}`);
    return performance.now() - start;
  });
  const median = (given: readonly number[]): number => given.toSorted((a, b) => a - b)[given.length >> 1] as number;
  expect(median(times.slice(max / size))).toBeLessThan(5 * median(times.slice(0, max / size)));
});
