// Compares two workers of `node:cluster` with one, with built packages: run `npm run build` first. The load generator
// shares a core with the second worker, so the throughput is worth little. The processor time that all processes of the
// server use for a request isn't affected: with a core for each worker, two of them serve 2 × cost with one ÷ cost with
// two. Processes of the lowest priority keep all cores busy, because a core can be faster while the other one is idle.
// SHARE gives each worker only a part of its core, such as 0.2, after the warm-up. The rest is enough for the database
// and the load generator, so then the last column compares the throughput. One worker then runs on each core in turn.
// ROUNDS (3), SECONDS (3), WARMUP (3). The argument is a part of the names of the works.
import { buildServer } from "../built.ts";
import { type Contender, startBuilt } from "../contender.ts";
import { EDITION } from "../editions.ts";
import { measure, type Sample } from "../load.ts";
import { median } from "../median.ts";
import { createDatabase, deleteDatabases } from "../sql-writes/database.ts";
import { sqlWriteWorks } from "../sql-writes/works.ts";
import { type Work, works } from "../works.ts";
import { fillCores } from "./fill-cores.ts";
import { limitShare } from "./limit-share.ts";
import { pinToCore } from "../pin-to-core.ts";
import { settle, subscribe, type Subscriber } from "./subscribers.ts";
import type { WorkerUsage } from "./worker-usage.ts";

const [rounds, seconds, warmUp] = ["ROUNDS", "SECONDS", "WARMUP"].map((name) => Number(process.env[name] ?? 3)) as [
  number,
  number,
  number,
];
const share = process.env["SHARE"] === undefined ? undefined : Number(process.env["SHARE"]);
const [part = ""] = process.argv.slice(2);
const SUBSCRIBERS = 4;
const WRITES = 200;
const WORKERS = [1, 2] as const;
/** For each worker, so that the same number of requests waits in each. */
const CONNECTIONS = 64;

const inMemory = works.filter(
  ({ name }) => ["REST item", "GraphQL 50 books with authors"].includes(name) && name.includes(part),
);
const create = sqlWriteWorks.find(({ name }) => name === "PostgreSQL, create") as Work;
/** Two workers by hand show how much of the difference comes from the machine. */
const CREATES: readonly Creates[] = [
  { name: "PostgreSQL, create by hand", where: "by-hand", subscribers: 0 },
  { name: "PostgreSQL, create", where: "postgres", subscribers: 0 },
  { name: `PostgreSQL, create with ${SUBSCRIBERS} subscribers`, where: "postgres", subscribers: SUBSCRIBERS },
];

interface Compared {
  readonly samples: readonly [one: Sample, two: Sample];
  /** The part of the requests that the busier of two workers served. */
  readonly busier: number;
}

async function start(count: number, where: string): Promise<Contender> {
  const cores = count === 1 ? "0" : "0,1";
  return startBuilt(`cluster ${count} ${where}`, await buildServer("cluster"), [], cores);
}

/** One worker. With SHARE, it runs on each core in turn, because one core can be faster than the other. */
async function measureOne(contender: Contender, work: Work): Promise<Sample> {
  const own = { ...work, connections: CONNECTIONS };
  if (share === undefined) return measure(contender, own, seconds);
  const [{ pid }] = (await contender.workers()) as readonly [WorkerUsage];
  const samples: Sample[] = [];
  for (const core of [0, 1]) {
    pinToCore(pid, core);
    samples.push(await measure(contender, own, seconds / 2));
  }
  const mean = (part: "rate" | "cost"): number => samples.reduce((sum, sample) => sum + sample[part] / 2, 0);
  return { ...(samples[0] as Sample), rate: mean("rate"), cost: mean("cost") };
}

async function round(pair: readonly [Contender, Contender], work: Work): Promise<Compared> {
  const one = await measureOne(pair[0], work);
  const before = await pair[1].workers();
  const two = await measure(pair[1], { ...work, connections: 2 * CONNECTIONS }, seconds);
  const after = await pair[1].workers();
  const served = after.map(({ requests }, index) => requests - (before[index]?.requests ?? 0));
  return { samples: [one, two], busier: Math.max(...served) / served.reduce((sum, each) => sum + each, 0) };
}

function print(name: string, found: readonly Compared[]): void {
  const middle = (index: 0 | 1, part: "rate" | "cost"): number =>
    median(found.map(({ samples }) => samples[index][part]));
  const cells = [
    Math.round(middle(0, "rate")).toLocaleString("en"),
    Math.round(middle(1, "rate")).toLocaleString("en"),
    middle(0, "cost").toFixed(1),
    middle(1, "cost").toFixed(1),
    `${(median(found.map(({ busier }) => busier)) * 100).toFixed(0)} %`,
    median(
      found.map(({ samples: [one, two] }) => (share === undefined ? (2 * one.cost) / two.cost : two.rate / one.rate)),
    ).toFixed(2),
  ];
  console.log(`| ${[name, ...cells].join(" | ")} |`);
}

async function compare(pair: readonly [Contender, Contender], name: string, work: Work): Promise<void> {
  for (const contender of pair) await measure(contender, work, warmUp);
  const endLimit = await limitWorkers(pair);
  const found: Compared[] = [];
  for (let n = 0; n < rounds; n++) found.push(await round(pair, work));
  endLimit();
  print(name, found);
}

async function limitWorkers(pair: readonly Contender[]): Promise<() => void> {
  if (share === undefined) return () => {};
  const workers = await Promise.all(pair.map((contender) => contender.workers()));
  return limitShare(
    workers.flat().map(({ pid }) => pid),
    share,
  );
}

/** Writes through all workers and checks that every subscriber on every worker receives every write. */
async function checkEvents(contender: Contender, subscribers: readonly Subscriber[]): Promise<string> {
  const streams = (await contender.workers()).map((worker) => worker.streams);
  if (streams.includes(0)) throw new Error(`${contender.name}: a worker has no subscriber: ${streams.join(", ")}`);
  const before = await contender.workers();
  for (let n = 0; n < WRITES; n++) {
    // Each request has its own connection, and so reaches the next worker.
    const headers = { "content-type": "application/json", connection: "close" };
    const { status } = await fetch(`${contender.url}/editions`, {
      method: "POST",
      headers,
      body: JSON.stringify(EDITION),
    });
    if (status !== 201) throw new Error(`${contender.name}: ${status}`);
  }
  const writes = (await contender.workers()).map(({ requests }, index) => requests - (before[index]?.requests ?? 0));
  await settle(subscribers);
  for (const { counts } of subscribers) {
    if (counts().created !== WRITES)
      throw new Error(`${contender.name}: ${WRITES} rows were created, and ${counts().created} events arrived.`);
  }
  return `${contender.name}: ${writes.join(" + ")} writes on ${streams.length} workers; each of ${streams.join(" + ")} subscribers received all ${WRITES} events.`;
}

interface Creates {
  readonly name: string;
  readonly where: "postgres" | "by-hand";
  readonly subscribers: number;
}

/** Returns what was found out besides. */
async function compareCreates({ name, where, subscribers: wanted }: Creates): Promise<readonly string[]> {
  await deleteDatabases();
  const facts: string[] = [];
  const pair: Contender[] = [];
  const all: Subscriber[] = [];
  for (const count of WORKERS) {
    // The two clusters don't share a database, so that each sends its own events only.
    process.env["BENCH_DATABASE_URL"] = await createDatabase("postgres", { suffix: `_${count}` });
    const contender = await start(count, where);
    const subscribers: Subscriber[] = [];
    for (let n = 0; n < wanted; n++) subscribers.push(await subscribe(contender.url, "/editions"));
    if (wanted > 0) facts.push(await checkEvents(contender, subscribers));
    pair.push(contender);
    all.push(...subscribers);
  }
  await compare(pair as [Contender, Contender], name, create);
  await settle(all);
  const resets = all.reduce((sum, { counts }) => sum + counts().reset, 0);
  if (wanted > 0) facts.push(`Under load, ${resets} resets instead of events.`);
  for (const subscriber of all) subscriber.close();
  for (const contender of pair) contender.stop();
  return facts;
}

const limits = share === undefined ? "" : `, each worker has ${share} of a core`;
console.log(`Node ${process.version}, ${rounds} rounds of ${seconds} s${limits}\n`);
console.log(
  "| work | req/s, one worker | two | µs of CPU a request, one worker | two | served by the busier worker | two workers serve × one |",
);
console.log("|---|---:|---:|---:|---:|---:|---:|");
const endFillers = fillCores();
const pair = [await start(1, "memory"), await start(2, "memory")] as const;
for (const work of inMemory) await compare(pair, work.name, work);
for (const contender of pair) contender.stop();
const facts: string[] = [];
for (const creates of CREATES.filter(({ name }) => name.includes(part))) facts.push(...(await compareCreates(creates)));
console.log(`\n${facts.join("\n")}`);
endFillers();
await deleteDatabases();
process.exit(0);
