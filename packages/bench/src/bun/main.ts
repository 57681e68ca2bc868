// Compares an item read through `fetchHandler` on Bun with servers by hand, in interleaved rounds. ROUNDS (7), SECONDS
// (3), WARMUP (5), ONLY (names of contenders, by commas).
import { resolve } from "node:path";
import { type Contender, startOnBun } from "../contender.ts";
import { checkAnswers, measure, type Sample } from "../load.ts";
import { median } from "../median.ts";
import { works, type Work } from "../works.ts";

const [rounds, seconds, warmUp] = [
  ["ROUNDS", 7],
  ["SECONDS", 3],
  ["WARMUP", 5],
].map(([name, fallback]) => Number(process.env[name as string] ?? fallback)) as [number, number, number];

const work = works.find(({ name }) => name === "REST item") as Work;
const CONTENDERS = process.env["ONLY"]?.split(",") ?? ["bifocal", "node-http", "by-hand-contract", "by-hand"];
const contenders: Contender[] = [];
for (const name of CONTENDERS) {
  contenders.push(await startOnBun(name, resolve(import.meta.dirname, `${name}.ts`)));
}
await checkAnswers(contenders, work);
for (const contender of contenders) await measure(contender, work, warmUp);

const samples = new Map<Contender, Sample[]>(contenders.map((contender) => [contender, []]));
for (let round = 0; round < rounds; round++) {
  for (const contender of contenders) samples.get(contender)?.push(await measure(contender, work, seconds));
}
for (const contender of contenders) contender.stop();

const own = samples.get(contenders[0] as Contender) ?? [];
console.log("| on Bun | req/s | µs of CPU a request | bifocal is × as fast | by CPU |\n|---|---:|---:|---:|---:|");
for (const [{ name }, found] of samples) {
  const ratio = (of: (sample: Sample, ours: Sample) => number): string =>
    median(found.map((sample, round) => of(sample, own[round] as Sample))).toFixed(2);
  const cells = [
    name,
    Math.round(median(found.map(({ rate }) => rate))).toLocaleString("en"),
    median(found.map(({ cost }) => cost)).toFixed(1),
    ratio((sample, ours) => ours.rate / sample.rate),
    ratio((sample, ours) => sample.cost / ours.cost),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
process.exit(0);
