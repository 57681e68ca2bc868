// Sends documents that never repeat, and prints the resident memory over time, with built packages: run `npm run build`
// first. `--documents N` (500,000). ONLY selects servers ("bifocal-node-http,mercurius jit").
import { buildServer } from "../built.ts";
import { type Contender, startBuilt } from "../contender.ts";
import { checkAnswers, measure } from "../load.ts";
import type { Work } from "../works.ts";
import { countOption } from "./options.ts";

const total = countOption("documents", 500_000);
const names = process.env["ONLY"]?.split(",") ?? ["bifocal-node-http", "bifocal-fastify"];
/** Seconds between two samples. */
const INTERVAL = Number(process.env["SECONDS"] ?? 5);
/** Number of lines to print between the first and the last one. */
const LINES = 10;
const MIB = 2 ** 20;

function work(name: string, query: string): Work {
  return {
    name,
    path: "/graphql",
    body: JSON.stringify({ query }),
    contenders: names,
    pick: ({ data, errors }: { data: unknown; errors?: unknown }) => ({ data, errors }),
  };
}

const WORKS: readonly Work[] = [
  work("every operation name new", "query Books$N { books(first: 50) { nodes { id title author { name } } } }"),
  work(
    "every alias new, so that every response has another shape",
    "{ a$N: books(first: 50) { nodes { b$N: id title author { c$N: name } } } }",
  ),
];

function line(sent: number, { heapUsed, heapTotal, external, rss }: NodeJS.MemoryUsage): string {
  const cells = [heapUsed, heapTotal, external, rss].map((bytes) => (bytes / MIB).toFixed(0));
  return `| ${[sent.toLocaleString("en"), ...cells].join(" | ")} |`;
}

/** Prints the memory while the documents arrive, and returns the largest resident memory in bytes. */
async function run(contender: Contender, work: Work): Promise<number> {
  console.log(`\n### ${contender.name}, ${work.name}\n`);
  console.log(
    "| documents | heap, MiB | reserved for the heap, MiB | external, MiB | resident, MiB |\n|---:|---:|---:|---:|---:|",
  );
  let memory = await contender.memory("memory");
  let largest = memory.rss;
  console.log(line(0, memory));
  for (let sent = 0, printed = 1; sent < total; ) {
    sent += (await measure(contender, work, INTERVAL)).requests;
    memory = await contender.memory("memory");
    largest = Math.max(largest, memory.rss);
    if (sent < (total * printed) / LINES) continue;
    console.log(line(sent, memory));
    while (sent >= (total * printed) / LINES) printed++;
  }
  return largest;
}

const found: string[] = [];
for (const name of names) {
  const file = await buildServer(name);
  for (const work of WORKS) {
    const contender = await startBuilt(name, file);
    await checkAnswers([contender], work);
    const largest = await run(contender, work);
    found.push(`| ${name} | ${work.name} | ${(largest / MIB).toFixed(0)} |`);
    contender.stop();
  }
}
console.log("\n| server | documents | largest resident memory, MiB |\n|---|---|---:|");
for (const row of found) console.log(row);
process.exit(0);
