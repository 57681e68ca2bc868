// Every contender on the same rows in one interleaved run; prints medians and ratios as Markdown.
// ROUNDS (default 5) and SECONDS (default 3, for each contender in each round) set how long it takes; an argument picks works by name.
import { deepStrictEqual } from "node:assert";
import { cpus } from "node:os";
import { type Contender, startContender } from "./contender.ts";
import { answerOf, measure, type Sample } from "./load.ts";
import { type Work, works } from "./works.ts";

const rounds = Number(process.env["ROUNDS"] ?? 5);
const seconds = Number(process.env["SECONDS"] ?? 3);

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function compare(work: Work): Promise<void> {
  const contenders: Contender[] = [];
  try {
    for (const name of work.contenders) contenders.push(await startContender(name));
    const expected = await answerOf(contenders.at(-1) as Contender, work);
    for (const contender of contenders) deepStrictEqual(await answerOf(contender, work), expected, contender.name);
    for (const contender of contenders) await measure(contender, work, 1);
    const samples = contenders.map((): Sample[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [index, contender] of contenders.entries()) {
        samples[index]?.push(await measure(contender, work, seconds));
      }
    }
    print(work, contenders, samples);
  } finally {
    for (const contender of contenders) contender.stop();
  }
}

function print(work: Work, contenders: readonly Contender[], samples: readonly (readonly Sample[])[]): void {
  const ours = contenders.slice(0, 2).map(({ name }) => name);
  console.log(`\n### ${work.name}\n`);
  console.log(
    `| contender | req/s | µs of CPU a request | ${ours.map((name) => `${name} is × as cheap`).join(" | ")} |`,
  );
  console.log("|---|---:|---:|---:|---:|");
  for (const [index, contender] of contenders.entries()) {
    const own = samples[index] ?? [];
    const rate = Math.round(median(own.map((sample) => sample.rate))).toLocaleString("en");
    const cost = median(own.map((sample) => sample.cost)).toFixed(1);
    // Of the same round, because machines are noisy.
    const ratios = ours.map((_, other) =>
      median(own.map((sample, round) => sample.cost / (samples[other]?.[round]?.cost ?? Number.NaN))).toFixed(2),
    );
    console.log(`| ${contender.name} | ${rate} | ${cost} | ${ratios.join(" | ")} |`);
  }
}

console.log(`Node ${process.version}, ${cpus().length} cores, ${rounds} rounds of ${seconds} s, 64 connections`);
const [only] = process.argv.slice(2);
for (const work of works) if (only === undefined || work.name.includes(only)) await compare(work);
process.exit(0);
