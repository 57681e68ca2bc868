// Compares all contenders on the same rows in one interleaved run, and prints medians and ratios as Markdown. ROUNDS
// (default 5) and SECONDS (default 3, per contender and round) set the duration. An argument selects works by name, and
// ONLY ("bifocal-fastify,mercurius jit") selects contenders. BEFORE, a checkout of another commit with installed packages,
// adds Bifocal at that commit.
import { cpus } from "node:os";
import { BEFORE, type Contender, startContender } from "./contender.ts";
import { chooseWorks } from "./chosen.ts";
import { checkAnswers, measure, type Sample } from "./load.ts";
import { median } from "./median.ts";
import { oursOf } from "./ours.ts";
import { TIMES_CREATE, timesCreate } from "./times-create.ts";
import type { Work } from "./works.ts";

const rounds = Number(process.env["ROUNDS"] ?? 5);
const seconds = Number(process.env["SECONDS"] ?? 3);
// Seconds before the measurement, in which the server's code is compiled.
const warmUp = Number(process.env["WARMUP"] ?? 5);
interface Compared extends Sample {
  /** The cost of an update or a delete, divided by that of a create in the same round. */
  readonly timesCreate?: number;
}

async function sample(contender: Contender, work: Work): Promise<Compared> {
  const own = await measure(contender, work, seconds);
  if (work.follow === undefined) return own;
  const { follow, ...create } = work;
  return { ...own, timesCreate: timesCreate(follow, own.cost, (await measure(contender, create, seconds)).cost) };
}

async function compare(work: Work, names: readonly string[]): Promise<void> {
  const contenders: Contender[] = [];
  try {
    for (const name of names) contenders.push(await startContender(name));
    await checkAnswers(contenders, work);
    for (const contender of contenders) await measure(contender, work, warmUp);
    const samples = contenders.map((): Compared[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [index, contender] of contenders.entries()) {
        samples[index]?.push(await sample(contender, work));
      }
    }
    print(work, contenders, samples);
  } finally {
    for (const contender of contenders) contender.stop();
  }
}

function print(work: Work, contenders: readonly Contender[], samples: readonly (readonly Compared[])[]): void {
  const ours = oursOf(contenders.map(({ name }) => name));
  const perRow = work.rows === undefined ? [] : ["ns of CPU a row"];
  const perCreate = work.follow === undefined ? [] : [TIMES_CREATE[work.follow.method]];
  const hasDatabase = samples.some((own) => own.some(({ databaseCost }) => databaseCost > 0));
  const perDatabase = hasDatabase ? ["µs of the database's CPU"] : [];
  const columns = [
    "req/s",
    "µs of CPU a request",
    ...perRow,
    ...perCreate,
    ...perDatabase,
    ...ours.map((name) => `${name} is × as fast`),
  ];
  console.log(`\n### ${work.name}\n`);
  console.log(`| contender | ${columns.join(" | ")} |`);
  console.log(`|---|${"---:|".repeat(columns.length)}`);
  for (const [index, contender] of contenders.entries()) {
    const own = samples[index] ?? [];
    const rate = Math.round(median(own.map((sample) => sample.rate))).toLocaleString("en");
    const cost = median(own.map((sample) => sample.cost));
    const costs = [cost.toFixed(1), ...(work.rows === undefined ? [] : [((cost * 1000) / work.rows).toFixed(0)])];
    if (perCreate.length > 0) costs.push(median(own.map(({ timesCreate = Number.NaN }) => timesCreate)).toFixed(2));
    if (hasDatabase) costs.push(median(own.map(({ databaseCost }) => databaseCost)).toFixed(1));
    // Compares results of the same round, because machines are noisy.
    const ratios = ours.map((name) => {
      const other = contenders.findIndex((contender) => contender.name === name);
      return median(own.map((sample, round) => (samples[other]?.[round]?.rate ?? Number.NaN) / sample.rate)).toFixed(2);
    });
    console.log(`| ${[contender.name, rate, ...costs, ...ratios].join(" | ")} |`);
  }
}

/** Compares the contenders of the selected works, and ends the program. */
export async function compareAll(works: readonly Work[]): Promise<never> {
  await compareWorks(works);
  process.exit(0);
}

export async function compareWorks(works: readonly Work[]): Promise<void> {
  console.log(`Node ${process.version}, ${cpus().length} cores, ${rounds} rounds of ${seconds} s`);
  for (const { work, names } of chooseWorks(works)) await compare(work, withBefore(names));
}

function withBefore(names: readonly string[]): readonly string[] {
  if (process.env["BEFORE"] === undefined) return names;
  const ours = oursOf(names);
  return names.flatMap((name) => (ours.includes(name) ? [name, `${name}${BEFORE}`] : [name]));
}
