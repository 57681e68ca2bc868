import { expect, test, vi } from "vitest";
import { Resumptions } from "./resumptions.ts";

const address = (n: number) => ({ principal: null, address: `10.0.${n >> 8}.${n & 255}` });
const isTaken = (resumptions: Resumptions, n: number): boolean => {
  try {
    resumptions.take(address(n));
    return true;
  } catch {
    return false;
  }
};

test("keeps a bounded number of counts, whatever the number of callers", () => {
  const resumptions = new Resumptions(3, 100);
  for (let n = 0; n < 20_000; n++) isTaken(resumptions, n);
  expect(resumptions.size).toBeLessThanOrEqual(100 + 1_024);
});

test("bounds the counts of a caller with many addresses, and keeps those that are in use", () => {
  const resumptions = new Resumptions(3, 100);
  for (let n = 0; n < 3; n++) expect(isTaken(resumptions, 0)).toBe(true);
  let taken = 0;
  for (let n = 100; n < 20_000; n++) if (isTaken(resumptions, n)) taken++;
  expect(taken).toBeLessThanOrEqual(3 * (100 + 1_024));
  expect(isTaken(resumptions, 0)).toBe(false);
});

test("counts callers separately again after earlier ones have been quiet", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const resumptions = new Resumptions(2, 10);
    for (let n = 0; n < 10; n++) isTaken(resumptions, n);
    for (let n = 10; n < 5_000; n++) isTaken(resumptions, n);
    vi.advanceTimersByTime(60_000);
    for (let n = 20_000; n < 20_005; n++) for (let at = 0; at < 2; at++) expect(isTaken(resumptions, n)).toBe(true);
    expect(isTaken(resumptions, 20_000)).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
