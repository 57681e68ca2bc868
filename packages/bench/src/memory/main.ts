// Measures the memory of a connected subscriber: N (2000) of each kind, each in a fresh process, ROUNDS (3) interleaved rounds.
// ONLY="REST event stream" measures one kind; SNAPSHOT=directory keeps heap snapshots of before and after.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../median.ts";
import type { Question, Usage } from "./serve.ts";
import { distinctStream, restStream, singleStream, type Subscribe, webSocket } from "./subscribers.ts";

const count = Number(process.env["N"] ?? 2_000);
const rounds = Number(process.env["ROUNDS"] ?? 3);
const { ONLY: only, SNAPSHOT: snapshots } = process.env;
/** Subscribers opened before the first measurement, so that code is compiled and one-time allocations are done. */
const WARM_UP = 200;

interface Kind {
  readonly name: string;
  readonly server: "bifocal" | "by-hand";
  readonly subscribe: Subscribe;
}

const KINDS: readonly Kind[] = [
  { name: "node:http event stream", server: "by-hand", subscribe: restStream },
  { name: "ws socket", server: "by-hand", subscribe: webSocket },
  { name: "REST event stream", server: "bifocal", subscribe: restStream },
  { name: "graphql-sse, distinct", server: "bifocal", subscribe: distinctStream },
  { name: "graphql-sse, single", server: "bifocal", subscribe: singleStream },
  { name: "WebSocket", server: "bifocal", subscribe: webSocket },
];

/** Returns the KiB that each subscriber adds. */
async function measure({ name, server, subscribe }: Kind): Promise<Usage> {
  const child = fork(new URL(`${server}.ts`, import.meta.url), {
    // A growing young generation would be counted as memory of the subscribers.
    execArgv: ["--conditions=@bifocal/source", "--expose-gc", "--max-semi-space-size=1"],
  });
  const ask = async <Answer>(question: Question): Promise<Answer> => {
    child.send(question);
    return ((await once(child, "message")) as [Answer])[0];
  };
  const [port] = (await once(child, "message")) as [number];
  const open = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n++) await subscribe(port, n);
    // Wait until closing connections are closed.
    await sleep(1_500);
  };
  const snapshot = async (moment: string): Promise<void> => {
    if (snapshots === undefined) return;
    await ask({ snapshot: `${snapshots}/${name.replace(/\W+/g, "-")}-${moment}.heapsnapshot` });
  };
  await open(0, WARM_UP);
  await snapshot("before");
  const before = await ask<Usage>("usage");
  await open(WARM_UP, WARM_UP + count);
  const after = await ask<Usage>("usage");
  await snapshot("after");
  child.disconnect();
  const each = (part: keyof Usage): number => (after[part] - before[part]) / count / 1_024;
  return { heap: each("heap"), external: each("external"), resident: each("resident") };
}

const kinds = KINDS.filter(({ name }) => only === undefined || name === only);
const found = new Map<string, Usage[]>(kinds.map(({ name }) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const kind of kinds) found.get(kind.name)?.push(await measure(kind));
}
console.log("KiB of each subscriber".padEnd(26), "heap".padStart(8), "external".padStart(10), "resident".padStart(10));
for (const [name, usages] of found) {
  const each = (part: keyof Usage): string => median(usages.map((usage) => usage[part])).toFixed(1);
  console.log(name.padEnd(26), each("heap").padStart(8), each("external").padStart(10), each("resident").padStart(10));
}
process.exit(0);
