import { expect, test } from "vitest";
import { libraryModel } from "../../../test/library.ts";
import { Evaluation } from "../evaluation.ts";
import { type Reading, runReading } from "./reading.ts";

const model = libraryModel();
const createEvaluation = (): Evaluation => new Evaluation(model, () => []);

/** Keeps the processor for as long as a slice lasts, so often, and then returns how often it was begun. */
function slowReading(slices: number) {
  let begun = 0;
  const start = (): Reading<number> => {
    const own = ++begun;
    let left = slices;
    return () => {
      const until = performance.now() + 11;
      while (performance.now() < until);
      return left-- > 0 ? undefined : own;
    };
  };
  return { start, begun: () => begun };
}

test("returns a short read synchronously", () => {
  const source = { context: { signal: undefined }, createEvaluation, version: () => 0 };
  expect(runReading(source, () => () => "page")).toBe("page");
});

test("pauses a long read for other work, and ends it when it is aborted", async () => {
  const controller = new AbortController();
  const source = { context: { signal: controller.signal }, createEvaluation, version: () => 0 };
  setTimeout(() => controller.abort(new Error("The caller has gone.")), 1);
  const { start } = slowReading(1_000);
  await expect(runReading(source, start)).rejects.toThrow("The caller has gone.");
});

test("restarts a read after a write, and finally completes it without pauses", async () => {
  let version = 0;
  const source = { context: { signal: undefined }, createEvaluation, version: () => version };
  const writes = setInterval(() => void version++, 0);
  const { start, begun } = slowReading(5);
  expect(await runReading(source, start)).toBe(4);
  clearInterval(writes);
  expect(begun()).toBe(4);
  // Nothing is written any more.
  const undisturbed = slowReading(5);
  expect(await runReading(source, undisturbed.start)).toBe(1);
});
