import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { BoundedKeys } from "./bounded-keys.ts";

const keyOf = (n: number): string => createHash("sha256").update(String(n)).digest("base64url");

test("I06: new keys share counters when the limit is reached, and existing ones keep theirs", async () => {
  const keys = new BoundedKeys(1, 10);
  const first = Array.from({ length: 10 }, (_, n) => keyOf(n));
  expect(first.map((key) => keys.fold(key))).toEqual(first);
  const shared = new Set(Array.from({ length: 20_000 }, (_, n) => keys.fold(keyOf(n + 10))));
  expect(shared.size).toBeGreaterThan(1_000);
  expect(shared.size).toBeLessThanOrEqual(1_024);
  expect(first.map((key) => keys.fold(key))).toEqual(first);
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  expect(keys.fold(keyOf(99))).toBe(keyOf(99));
});
