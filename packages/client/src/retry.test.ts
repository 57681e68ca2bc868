import { expect, test } from "vitest";
import { BifocalError } from "./client-error.ts";
import { loadPart } from "./load-part.ts";
import { backoff, retryDelay, sleep } from "./retry.ts";

const draw = (failures: number): readonly number[] => Array.from({ length: 200 }, () => backoff(failures, 500));

test.each([
  [0, 500],
  [1, 1_000],
  [4, 8_000],
  [6, 30_000],
  [40, 30_000],
])("waits at random after %i failures, at most %i ms", (failures, longest) => {
  const delays = draw(failures);
  expect(Math.max(...delays)).toBeLessThanOrEqual(longest);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(longest / 2);
  expect(new Set(delays).size).toBeGreaterThan(100);
});

test("waits as long as Retry-After asks, unless that is too long", () => {
  const limited = (seconds: string): number | undefined =>
    retryDelay(new BifocalError("RATE_LIMITED", "", { headers: { "Retry-After": seconds } }), 0);
  expect(limited("2")).toBeGreaterThanOrEqual(2_000);
  expect(limited("2")).toBeLessThan(2_200);
  expect(limited("31")).toBeUndefined();
});

test("doesn't retry what would fail again", () => {
  expect(retryDelay(new BifocalError("VALIDATION_FAILED", ""), 0)).toBeUndefined();
  expect(retryDelay(new BifocalError("CONFLICT", ""), 0)).toBeUndefined();
});

test("ends a wait with the reason of the signal", async () => {
  const reason = new Error("stopped");
  const ending = new AbortController();
  const waiting = sleep(60_000, ending.signal);
  ending.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(sleep(1, ending.signal)).rejects.toBe(reason);
});

test("throws UNAVAILABLE if a part of the client can't be loaded", async () => {
  const cause = new TypeError("Failed to fetch dynamically imported module");
  await expect(loadPart(Promise.reject(cause))).rejects.toMatchObject({ code: "UNAVAILABLE", cause });
});
