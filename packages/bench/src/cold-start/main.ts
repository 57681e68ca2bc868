// Measures the start of a server with ten resources, and its first requests, with built packages: run `npm run build`
// first. STARTS (10) processes per contender and kind of request.
import { Agent, request } from "node:http";
import { buildServer } from "../built.ts";
import { BUNDLED, CACHED, type Contender, startBuilt } from "../contender.ts";
import { checkAnswers, requestOf } from "../load.ts";
import { median } from "../median.ts";
import { TEN_CONTENDERS, tenWorks } from "../ten/works.ts";
import type { Work } from "../works.ts";

const starts = Number(process.env["STARTS"] ?? 10);
const REQUESTS = 100;
/** A process with nothing but an HTTP server. */
const BASELINE = "ten-node-http";

/** Sends a request over a connection that is kept open, and returns the milliseconds until its response has ended. */
async function time(contender: Contender, work: Work, agent: Agent): Promise<number> {
  const { method, headers, body = "" } = await requestOf(contender, work);
  const length = method === "POST" ? { "content-length": Buffer.byteLength(body) } : {};
  const start = performance.now();
  await new Promise<void>((resolve, reject) => {
    request(contender.url + work.path, { agent, method, headers: { ...headers, ...length } }, (response) => {
      if ((response.statusCode ?? 500) > 299)
        reject(new Error(`${contender.name}, ${work.name}: ${response.statusCode}`));
      response.resume().once("end", resolve);
    })
      .once("error", reject)
      .end(body);
  });
  return performance.now() - start;
}

interface Start {
  /** Milliseconds from the start of the process to the end of its first response. */
  readonly first: number;
  /** Milliseconds of each request, in order. */
  readonly times: readonly number[];
}

async function measure(name: string, file: string, work: Work): Promise<Start> {
  const began = performance.now();
  const contender = await startBuilt(name, file);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const times = [await time(contender, work, agent)];
    const first = performance.now() - began;
    while (times.length < REQUESTS) times.push(await time(contender, work, agent));
    return { first, times };
  } finally {
    agent.destroy();
    contender.stop();
  }
}

function at(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? Number.NaN;
}

const BIFOCAL = ["ten-bifocal-node-http", "ten-bifocal-fastify"];
const cached = BIFOCAL.flatMap((name) => [`${name}${CACHED}`, `${name}${BUNDLED}${CACHED}`]);
const names = [...TEN_CONTENDERS, ...BIFOCAL.map((name) => `${name}${BUNDLED}`), ...cached, BASELINE];
const files = new Map<string, string>();
for (const name of names) files.set(name, await buildServer(name));

async function check(): Promise<void> {
  const contenders: Contender[] = [];
  for (const name of TEN_CONTENDERS) contenders.push(await startBuilt(name, files.get(name) as string));
  for (const work of tenWorks) await checkAnswers(contenders, work);
  for (const contender of contenders) contender.stop();
}

await check();
// Compiles the code of this process, which is part of every measurement, and fills the compile caches.
for (const work of tenWorks) for (const name of cached) await measure(name, files.get(name) as string, work);
for (let n = 0; n < 3; n++) await measure(BASELINE, files.get(BASELINE) as string, tenWorks[0] as Work);
const found = new Map<string, Start[]>();
for (let round = 0; round < starts; round++) {
  for (const work of tenWorks) {
    for (const name of names) {
      const key = `${name} ${work.name}`;
      const all = found.get(key) ?? [];
      all.push(await measure(name, files.get(name) as string, work));
      found.set(key, all);
    }
  }
}
console.log(`Node ${process.version}, ${starts} starts for each kind of request\n`);
console.log("| start to first response, ms | median | fastest |\n|---|---:|---:|");
for (const name of names) {
  const all = tenWorks.flatMap((work) => found.get(`${name} ${work.name}`) ?? []).map(({ first }) => first);
  console.log(`| ${name} | ${median(all).toFixed(0)} | ${Math.min(...all).toFixed(0)} |`);
}
console.log(
  `\n| first ${REQUESTS} requests, ms | contender | first | p50 | p99 | p99 of the best start |\n|---|---|---:|---:|---:|---:|`,
);
for (const work of tenWorks) {
  for (const name of names) {
    const all = found.get(`${name} ${work.name}`) ?? [];
    const p99 = all.map(({ times }) => at(times, 0.99));
    const cells = [
      median(all.map(({ times }) => times[0] ?? Number.NaN)),
      median(all.map(({ times }) => at(times, 0.5))),
      median(p99),
      Math.min(...p99),
    ].map((value) => value.toFixed(2));
    console.log(`| ${[work.name, name, ...cells].join(" | ")} |`);
  }
}
process.exit(0);
