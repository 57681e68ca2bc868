// Compares `process.nextTick` with and without `keepTickShape`, after a collection in an idle process. Prints the
// nanoseconds per call of each, the lowest of 200 batches. If they are equal, Node no longer needs `keepTickShape`.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const PROGRAM = `
  import { setTimeout as sleep } from "node:timers/promises";
  if (process.argv[2] === "kept") (await import(process.argv[1])).keepTickShape();
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
  console.log((lowest * 2_000).toFixed(0));
`;

const FILE = new URL("../../core/src/http/node/keep-tick-shape.ts", import.meta.url).href;
for (const variant of ["plain", "kept"]) {
  const args = ["--expose-gc", "--input-type=module", "-e", PROGRAM, FILE, variant];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  console.log(`${variant}: ${stdout.trim()} ns`);
}
