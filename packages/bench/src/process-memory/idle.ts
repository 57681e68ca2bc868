// Measures the memory of an idle process with ten resources, after a few requests of each kind, with built packages:
// run `npm run build` first. ROUNDS (5).
import { buildServer } from "../built.ts";
import { type Contender, startBuilt } from "../contender.ts";
import { checkAnswers } from "../load.ts";
import { median } from "../median.ts";
import { TEN_CONTENDERS, tenWorks } from "../ten/works.ts";

const rounds = Number(process.env["ROUNDS"] ?? 5);
const REPEATS = 20;
const MIB = 2 ** 20;

interface Sample {
  readonly started: NodeJS.MemoryUsage;
  readonly idle: NodeJS.MemoryUsage;
}

async function measure(contender: Contender): Promise<Sample> {
  const started = await contender.memory("collected memory");
  for (let n = 0; n < REPEATS; n++) for (const work of tenWorks) await checkAnswers([contender], work);
  const idle = await contender.memory("collected memory");
  contender.stop();
  return { started, idle };
}

const names = [...TEN_CONTENDERS, "ten-node-http"];
const files = new Map<string, string>();
for (const name of names) files.set(name, await buildServer(name));
const samples = new Map<string, Sample[]>(names.map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const name of names) {
    const contender = await startBuilt(name, files.get(name) as string, ["--expose-gc"]);
    if (name === "ten-node-http") {
      const started = await contender.memory("collected memory");
      samples.get(name)?.push({ started, idle: started });
      contender.stop();
    } else samples.get(name)?.push(await measure(contender));
  }
}
const peer = samples.get("ten-mercurius") ?? [];
console.log(`Node ${process.version}, ${rounds} rounds\n`);
console.log(
  "| MiB | heap | resident | resident after the start | resident × Fastify and Mercurius |\n|---|---:|---:|---:|---:|",
);
for (const [name, own] of samples) {
  const middle = (pick: (sample: Sample) => number): string => (median(own.map(pick)) / MIB).toFixed(1);
  const ratio = median(own.map(({ idle }, round) => idle.rss / (peer[round]?.idle.rss ?? Number.NaN))).toFixed(2);
  console.log(
    `| ${name} | ${middle(({ idle }) => idle.heapUsed)} | ${middle(({ idle }) => idle.rss)} | ${middle(({ started }) => started.rss)} | ${ratio} |`,
  );
}
process.exit(0);
