import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Prints the lowest nanoseconds per call of `process.nextTick` after a collection while nothing was queued. */
const PROGRAM = `
  const { setTimeout: sleep } = await import("node:timers/promises");
  const { keepTickShape } = await import(process.argv[1]);
  if (process.argv[2] === "kept") keepTickShape();
  const run = (count) => new Promise((resolve) => {
    const tick = () => (--count < 0 ? resolve() : process.nextTick(tick));
    tick();
  });
  await run(50);
  await sleep(1);
  gc();
  await sleep(1);
  await run(20_000);
  let lowest = Infinity;
  for (let batch = 0; batch < 200; batch++) {
    const start = performance.now();
    await run(500);
    lowest = Math.min(lowest, performance.now() - start);
  }
  console.log(lowest * 2_000);
`;

async function costOf(variant: "kept" | "plain"): Promise<number> {
  const file = new URL("keep-tick-shape.ts", import.meta.url).href;
  const args = ["--expose-gc", "--input-type=module", "-e", PROGRAM, file, variant];
  return Number((await promisify(execFile)(process.execPath, args)).stdout);
}

test("calls of process.nextTick stay fast after a collection in an idle process", async () => {
  expect(await costOf("kept")).toBeLessThan(0.6 * (await costOf("plain")));
});
