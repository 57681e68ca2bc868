// Runs as a child process of `main.ts` for one kind of key, and sends the results.
import { createFloors } from "./floors.ts";
import { createLibrary, type KeyKind } from "./library.ts";
import { createWorks, type Work } from "./works.ts";

export interface Measured {
  readonly sizes: readonly number[];
  /** Bytes per row, for each size. */
  readonly memory: readonly (readonly [name: string, bytes: readonly number[]])[];
  /** Nanoseconds per operation in the fastest turn, for each size. */
  readonly times: readonly (readonly [name: string, costs: readonly number[]])[];
}

const sizes = (process.env["SIZES"] ?? "1000,100000,1000000").split(",").map(Number);
const turns = Number(process.env["TURNS"] ?? 15);
/** Operations in a turn: few, so that a store of 1,000 rows keeps about that number. */
const MAX_COUNT = 100;
/** Slow operations are repeated less often: nanoseconds of a turn. */
const MAX_TURN = 20_000_000;
/** Milliseconds below which a turn is hardly ever interrupted, and the kernel counts processor time too coarsely. */
const SHORT = 5;
const WARM_UP = 30;

function memoryUsed(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const stores: ReadonlyMap<string, Work>[] = [];
const [rowBytes, orderBytes]: [number[], number[]] = [[], []];
const kind = process.argv[2] as KeyKind;
for (const size of sizes) {
  const before = memoryUsed();
  const library = await createLibrary(kind, size);
  // An entry of `keys` is a reference; its text belongs to the row.
  const filled = memoryUsed();
  const works = await createWorks(kind, library);
  rowBytes.push((filled - before) / size - 8);
  orderBytes.push((memoryUsed() - filled) / size);
  stores.push(new Map([...works, ...createFloors(library.keys)]));
}

const names = [...(stores[0]?.keys() ?? [])];
const samples = new Map(names.map((name) => [name, sizes.map((): number[] => [])]));
for (let turn = -WARM_UP; turn < turns; turn++) {
  for (const name of names) {
    for (const [index, works] of stores.entries()) {
      // The smallest store warms up the code, and each other store itself.
      if (turn < -2 && index > 0) continue;
      const costs = samples.get(name)?.[index] ?? [];
      const count = Math.max(1, Math.min(MAX_COUNT, Math.floor(MAX_TURN / (costs.at(-1) ?? 1))));
      const [start, used] = [performance.now(), process.threadCpuUsage()];
      await works.get(name)?.(count);
      const [elapsed, { user, system }] = [performance.now() - start, process.threadCpuUsage(used)];
      const processor = (user + system) / 1_000;
      costs.push(((processor < SHORT ? elapsed : processor) * 1e6) / count);
    }
  }
}
const measured: Measured = {
  sizes,
  memory: [
    ["rows and key index", rowBytes],
    ["three orders", orderBytes],
  ],
  times: names.map((name) => [name, (samples.get(name) ?? []).map((costs) => Math.min(...costs.slice(-turns)))]),
};
process.send?.(measured);
