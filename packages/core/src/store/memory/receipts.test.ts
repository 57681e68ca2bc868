import { expect, test, vi } from "vitest";
import { createReceipts } from "./receipts.ts";

const LIFETIME = 50_000;

test("deletes expired receipts in constant time", () => {
  let now = 1_000_000;
  vi.spyOn(Date, "now").mockImplementation(() => now);
  const receipts = createReceipts();
  const write = (token: string): void =>
    receipts.set({ token, fingerprint: "f", value: token, expires: now + LIFETIME });
  write("first");
  const size = 5_000;
  const times = Array.from({ length: 40 }, (_, part) => {
    const start = performance.now();
    for (let at = 0; at < size; at++) {
      now++;
      write(`${part} ${at}`);
    }
    return performance.now() - start;
  });
  vi.restoreAllMocks();
  vi.spyOn(Date, "now").mockReturnValue(now);
  expect(receipts.get("first")).toBeUndefined();
  expect(receipts.get("29 4999")).toBeUndefined();
  expect(receipts.get("30 0")).toMatchObject({ value: "30 0" });
  vi.restoreAllMocks();
  const median = (given: readonly number[]): number => given.toSorted((a, b) => a - b)[given.length >> 1] as number;
  const young = LIFETIME / size;
  expect(median(times.slice(young))).toBeLessThan(5 * median(times.slice(0, young)));
});

test("returns a receipt that was written again after it had expired", () => {
  const receipts = createReceipts();
  const receipt = { token: "a", fingerprint: "f", value: 1, expires: Date.now() - 1 };
  receipts.set(receipt);
  expect(receipts.get("a")).toBeUndefined();
  receipts.set({ ...receipt, value: 2, expires: Date.now() + 60_000 });
  expect(receipts.get("a")).toMatchObject({ value: 2 });
});
