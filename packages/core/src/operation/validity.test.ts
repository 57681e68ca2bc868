import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { memoizeFor } from "../auth/api-keys/memoize-for.ts";
import { onEnd } from "./validity.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(async () => {
  // Pending rechecks are dropped on the next tick.
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
});

test("ends within half a second of a known expiry", async () => {
  const end = vi.fn<() => void>();
  onEnd({ expires: Date.now() + 3_000 }, end);
  await vi.advanceTimersByTimeAsync(2_999);
  expect(end).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(501);
  expect(end).toHaveBeenCalledOnce();
});

test("notices a revoked credential within five seconds", async () => {
  let isGood = true;
  const end = vi.fn<() => void>();
  onEnd({ recheck: () => Promise.resolve(isGood) }, end);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(end).not.toHaveBeenCalled();
  isGood = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(end).toHaveBeenCalledOnce();
});

test("accepts a credential for a minute without a result of the check, and no longer", async () => {
  const end = vi.fn<() => void>();
  onEnd({ recheck: () => Promise.reject(new Error("out of reach")) }, end);
  await vi.advanceTimersByTimeAsync(50_000);
  expect(end).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(end).toHaveBeenCalledOnce();
});

test("starts the minute again after each result", async () => {
  let asked = 0;
  const end = vi.fn<() => void>();
  const forget = onEnd({ recheck: () => ++asked % 10 === 0 || Promise.reject(new Error("out of reach")) }, end);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(end).not.toHaveBeenCalled();
  forget?.();
});

test("calls a check that doesn't respond once, and waits for the same minute", async () => {
  const end = vi.fn<() => void>();
  const recheck = vi.fn<() => Promise<boolean>>(() => new Promise(() => {}));
  onEnd({ recheck }, end);
  await vi.advanceTimersByTimeAsync(50_000);
  expect(end).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(recheck).toHaveBeenCalledOnce();
  expect(end).toHaveBeenCalledOnce();
});

test("calls the check once for all connections of a credential", async () => {
  let isGood = true;
  const recheck = vi.fn<() => Promise<boolean>>(() => Promise.resolve(isGood));
  const ends = Array.from({ length: 100 }, () => vi.fn<() => void>());
  for (const end of ends) onEnd({ recheck }, end);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(recheck).toHaveBeenCalledTimes(2);
  isGood = false;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(recheck).toHaveBeenCalledTimes(3);
  for (const end of ends) expect(end).toHaveBeenCalledOnce();
});

test("never ends after it was canceled, and leaves no timer", async () => {
  const end = vi.fn<() => void>();
  onEnd({ expires: Date.now() + 100, recheck: () => false }, end)?.();
  onEnd({}, end);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(end).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test("shares results of the same key until they expire, but not failures", async () => {
  const work = vi.fn<(key: string) => Promise<string>>((key) =>
    key === "bad" ? Promise.reject(new Error(key)) : Promise.resolve(`${key}!`),
  );
  const ask = memoizeFor(1_000, work);
  expect(await Promise.all([ask("a"), ask("a"), ask("b")])).toEqual(["a!", "a!", "b!"]);
  expect(work).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1_001);
  await ask("a");
  expect(work).toHaveBeenCalledTimes(3);
  await expect(ask("bad")).rejects.toThrow("bad");
  await expect(ask("bad")).rejects.toThrow("bad");
  expect(work).toHaveBeenCalledTimes(5);
});
