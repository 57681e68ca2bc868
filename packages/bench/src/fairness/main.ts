import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareDatabase } from "./database.ts";

const GREEDY = 200;
const POLITE = 400;

/** Requests a list over a keep-alive connection, and returns the status. */
function ask(port: number, agent: Agent, key: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "x-api-key": key, accept: "application/json" };
    request({ port, host: "127.0.0.1", path: "/notes", agent, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    })
      .once("error", reject)
      .end();
  });
}

/** Measures the latency of a polite caller, with one request at a time, next to a greedy one. */
async function measure(where: string, connections: number): Promise<Readonly<Record<string, string | number>>> {
  const child = fork(new URL("serve.ts", import.meta.url), [where], { execArgv: ["--conditions=@bifocal/source"] });
  const [port] = (await once(child, "message")) as [number];
  let isOver = false;
  let served = 0;
  let refused = 0;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const greedy = Array.from({ length: connections }, async () => {
    while (!isOver) {
      if ((await ask(port, agent, "key of the greedy caller")) === 200) served += 1;
      else {
        refused += 1;
        await sleep(20);
      }
    }
  });
  await sleep(1_500);
  const since = performance.now();
  const before = served;
  const own = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  let polite = 0;
  for (let n = 0; n < POLITE; n++) {
    const start = performance.now();
    if ((await ask(port, own, "key of the polite caller")) === 200) polite += 1;
    times.push(performance.now() - start);
    await sleep(5);
  }
  const rate = (served - before) / ((performance.now() - since) / 1_000);
  isOver = true;
  await Promise.all(greedy);
  agent.destroy();
  own.destroy();
  child.kill("SIGINT");
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] as number).toFixed(1);
  return {
    store: where,
    greedy: connections,
    "p50 ms": at(0.5),
    "p99 ms": at(0.99),
    "polite 200s": `${polite} of ${POLITE}`,
    "greedy/s": Math.round(rate),
    refused,
  };
}

await prepareDatabase();
const rows = [];
for (const where of process.argv.slice(2).length > 0 ? process.argv.slice(2) : ["memory", "postgres"]) {
  for (const connections of [0, GREEDY]) rows.push(await measure(where, connections));
}
console.table(rows);
process.exit(0);
