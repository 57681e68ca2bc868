// Measures operations of the memory store with 1,000, 100,000 and 1,000,000 rows, in turns, and the memory of a row. Each
// kind of key has its own process. It prints the fastest turn, because other
// programs slow down turns by emptying caches. Turns that take more than 5 ms are measured in processor time.
// SIZES="1000,100000" and TURNS (15) change the run; an argument selects a kind of key.
import { fork } from "node:child_process";
import { once } from "node:events";
import type { KeyKind } from "./library.ts";
import type { Measured } from "./measure.ts";

const KINDS: readonly KeyKind[] = ["string", "uuid", "integer"];

async function measure(kind: KeyKind): Promise<Measured> {
  const child = fork(new URL("measure.ts", import.meta.url), [kind], {
    execArgv: ["--conditions=@bifocal/source", "--expose-gc", "--max-old-space-size=6144"],
  });
  const [measured] = (await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => Promise.reject(new Error("The measuring process has ended."))),
  ])) as [Measured];
  return measured;
}

function print(kind: KeyKind, { sizes, memory, times }: Measured): void {
  const columns = sizes.map((size) => size.toLocaleString("en"));
  const ratio = `${columns.at(-1)} : ${columns[0]}`;
  console.log(`\n### ${kind} keys\n`);
  console.log(`| ns per operation, by number of rows | ${columns.join(" | ")} | ${ratio} |`);
  console.log(`|---|${"---:|".repeat(columns.length + 1)}`);
  for (const [name, costs] of times) {
    const cells = costs.map((cost) => Math.round(cost).toLocaleString("en"));
    console.log(`| ${name} | ${cells.join(" | ")} | ${((costs.at(-1) ?? 0) / (costs[0] ?? 0)).toFixed(2)} |`);
  }
  for (const [name, bytes] of memory) {
    console.log(`| ${name}, bytes per row | ${bytes.map((each) => each.toFixed(0)).join(" | ")} | |`);
  }
}

const [chosen] = process.argv.slice(2);
for (const kind of KINDS) if (chosen === undefined || kind === chosen) print(kind, await measure(kind));
process.exit(0);
