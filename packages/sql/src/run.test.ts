import { expect, test } from "vitest";
import { HeldError, RetryError } from "./errors.ts";
import { untilFree } from "./run.ts";

async function tries(thrown: Error, most: number, signal: AbortSignal | undefined): Promise<unknown> {
  let count = 0;
  const work = () => {
    if (++count < most) throw thrown;
    return count;
  };
  return untilFree({ signal }, work).catch((failure: unknown) => [failure, count]);
}

test("retries a conflict with other transactions until the deadline", { timeout: 20_000 }, async () => {
  const retry = new RetryError(undefined);
  expect(await tries(retry, 22, AbortSignal.timeout(15_000))).toBe(22);
  expect(await tries(retry, 100, AbortSignal.timeout(50))).toEqual([
    expect.objectContaining({ name: "TimeoutError" }),
    expect.any(Number),
  ]);
});

test("retries a locked row a few times, and other errors not at all", async () => {
  const { signal } = new AbortController();
  const held = new HeldError("book", undefined, undefined);
  expect(await tries(held, 3, signal)).toBe(3);
  expect(await tries(held, 100, signal)).toEqual([held, 4]);
  const other = new Error("no");
  expect(await tries(other, 100, signal)).toEqual([other, 1]);
});
