// Compares an item read through `fetchHandler` on Bun with servers by hand, in interleaved rounds. JIT compilation varies
// by process, so all servers are started several times. STARTS (3), ROUNDS of each start (5), SECONDS (2), WARMUP (8),
// ONLY (names of contenders, by commas). A checkout in BEFORE adds `bifocal` at that commit.
import { resolve } from "node:path";
import { BEFORE, type Contender, startOnBun } from "../contender.ts";
import { checkAnswers, measure, type Sample } from "../load.ts";
import { median, quartiles } from "../median.ts";
import { works, type Work } from "../works.ts";

const [starts, rounds, seconds, warmUp] = [
  ["STARTS", 3],
  ["ROUNDS", 5],
  ["SECONDS", 2],
  ["WARMUP", 8],
].map(([name, fallback]) => Number(process.env[name as string] ?? fallback)) as [number, number, number, number];

const work = works.find(({ name }) => name === "REST item") as Work;
const before = process.env["BEFORE"];
const ALL = ["bifocal", "node-http", "by-hand-contract", "by-hand"];
const names = process.env["ONLY"]?.split(",") ?? ALL;
const unknown = names.find((name) => !ALL.includes(name));
if (unknown !== undefined) throw new Error(`There is no contender ${unknown}. Choose from ${ALL.join(", ")}.`);
if (before !== undefined) names.push(`bifocal${BEFORE}`);

/** The samples of each contender in one round. */
type Round = ReadonlyMap<string, Sample>;

function fileOf(name: string): string {
  const own = `${name.replace(BEFORE, "")}.ts`;
  return name.endsWith(BEFORE)
    ? resolve(before ?? "", "packages/bench/src/bun", own)
    : resolve(import.meta.dirname, own);
}

async function runStart(): Promise<readonly Round[]> {
  const contenders: Contender[] = [];
  try {
    for (const name of names) contenders.push(await startOnBun(name, fileOf(name)));
    await checkAnswers(contenders, work);
    for (const contender of contenders) await measure(contender, work, warmUp);
    const found: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      const samples = new Map<string, Sample>();
      // Every round starts with another contender, so that none always follows the same one.
      const first = round % contenders.length;
      for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)])
        samples.set(contender.name, await measure(contender, work, seconds));
      found.push(samples);
    }
    return found;
  } finally {
    for (const contender of contenders) contender.stop();
  }
}

const all: Round[] = [];
for (let start = 0; start < starts; start++) all.push(...(await runStart()));

const own = names[0] as string;
console.log(
  `| on Bun | req/s | µs of CPU a request | ${own} is × as fast | by CPU | middle half |\n|---|---:|---:|---:|---:|---|`,
);
for (const name of names) {
  const of = (pick: (sample: Sample, ours: Sample) => number): readonly number[] =>
    all.map((samples) => pick(samples.get(name) as Sample, samples.get(own) as Sample));
  const ratios = of((sample, ours) => sample.cost / ours.cost);
  const [low, high] = quartiles(ratios);
  const cells = [
    name,
    Math.round(median(of(({ rate }) => rate))).toLocaleString("en"),
    median(of(({ cost }) => cost)).toFixed(1),
    median(of((sample, ours) => ours.rate / sample.rate)).toFixed(2),
    median(ratios).toFixed(2),
    `${low.toFixed(2)} to ${high.toFixed(2)}`,
  ];
  console.log(`| ${cells.join(" | ")} |`);
  if (process.env["DETAILS"] === "true")
    console.log(
      of(({ cost }) => cost)
        .map((cost) => cost.toFixed(1))
        .join(" "),
    );
}
process.exit(0);
