// Sends millions of requests of all kinds and records the heap after a forced collection, with built packages: run
// `npm run build` first. `--requests N` (1,000,000). ONLY selects a server (bifocal-node-http); SECONDS (2) is the
// duration of one kind of request in each interval.
import { setTimeout as sleep } from "node:timers/promises";
import { buildServer } from "../built.ts";
import { type Contender, startBuilt } from "../contender.ts";
import { checkAnswers, measure } from "../load.ts";
import { works } from "../works.ts";
import { countOption } from "./options.ts";
import { slopeOf } from "./slope.ts";

const total = countOption("requests", 1_000_000);
const seconds = Number(process.env["SECONDS"] ?? 2);
const name = process.env["ONLY"] ?? "bifocal-node-http";
const MIB = 2 ** 20;
/** Works that leave no rows behind, except the editions of `deleteEditions`. */
const NAMES = [
  "REST item",
  "REST list of 50",
  "REST item, known already",
  "REST update, 8 fields",
  "REST create and delete, 8 fields",
  "GraphQL item, 3 fields",
  "GraphQL 50 books with authors",
  "GraphQL 50 books with authors, every document new",
];
/** The part of the run at the start whose slope doesn't count: caches fill up. */
const WARM_UP = 0.2;

/** Deletes the editions that the load generator has created and not deleted. */
async function deleteEditions({ url }: Contender): Promise<void> {
  for (;;) {
    const rows = (await (await fetch(`${url}/editions?page[size]=20`)).json()) as readonly { readonly id: string }[];
    if (rows.length === 0) return;
    for (const { id } of rows) await (await fetch(`${url}/editions/${id}`, { method: "DELETE" })).text();
  }
}

const chosen = works.filter((work) => NAMES.includes(work.name));
const contender = await startBuilt(name, await buildServer(name), ["--expose-gc"]);
for (const work of chosen) await checkAnswers([contender], work);
const points: (readonly [requests: number, bytes: number])[] = [];
console.log("| requests | heap, MiB | external, MiB | resident, MiB |\n|---:|---:|---:|---:|");
for (let sent = 0; sent < total; ) {
  for (const work of chosen) sent += (await measure(contender, work, seconds)).requests;
  await deleteEditions(contender);
  // Connections close.
  await sleep(1_000);
  const { heapUsed, external, rss } = await contender.memory("collected memory");
  points.push([sent, heapUsed]);
  const cells = [heapUsed, external, rss].map((bytes) => (bytes / MIB).toFixed(2));
  console.log(`| ${[sent.toLocaleString("en"), ...cells].join(" | ")} |`);
}
const warm = points.filter(([requests]) => requests >= total * WARM_UP);
const slope = slopeOf(warm);
const growth = (slope * total) / MIB;
console.log(
  `\n${name}: ${(slope * 1_000).toFixed(1)} bytes per 1,000 requests after the first ${WARM_UP * 100} %, which is ${growth.toFixed(2)} MiB in ${total.toLocaleString("en")} requests`,
);
contender.stop();
process.exit(0);
