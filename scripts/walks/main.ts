// Counts the source files and functions that each kind of request runs through: `npm run walks`. A second request of each
// kind is measured, so that work done once per definition or document doesn't count.
import { createServer } from "node:http";
import { type Profiler, Session } from "node:inspector/promises";
import type { AddressInfo } from "node:net";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { allow, belongsTo, defineApi, defineResource, hasMany, memoryStore } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import * as z from "zod";

const packages = new URL("../../packages/", import.meta.url).href;
const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access,
});
const define = () => defineApi({ resources: [author, book], store: memoryStore() });
const api = define();
await api.ready;
const server = createServer(nodeHttp(api)).listen(0);
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const json = { "content-type": "application/json" };
const graphql = async (query: string): Promise<unknown> =>
  (await fetch(`${url}/graphql`, { method: "POST", headers: json, body: JSON.stringify({ query }) })).json();

interface Recorded {
  readonly visited: readonly { readonly file: string; readonly ran: readonly string[] }[];
  readonly functions: number;
}

let id = 10;
const walks: Readonly<Record<string, () => unknown>> = {
  "a definition": () => define().ready,
  "a definition that is mounted": () => {
    const mounted = define();
    nodeHttp(mounted);
    return mounted.ready;
  },
  "REST, read an item": async () => (await fetch(`${url}/books/1`)).json(),
  "REST, read a list": async () => (await fetch(`${url}/authors?include=books`)).json(),
  "REST, create": async () =>
    (
      await fetch(`${url}/books`, {
        method: "POST",
        headers: json,
        body: JSON.stringify({ id: ++id, title: "Emma", authorId: 1 }),
      })
    ).json(),
  "GraphQL, query": () => graphql("{ authors { nodes { name books { nodes { title } } } } }"),
  "GraphQL, mutation": () =>
    graphql(`mutation { createBook(input: { id: ${++id}, title: "Emma", authorId: 1 }) { id } }`),
  "GraphQL, event of a subscription": () => api.local.book.create({ id: ++id, title: "Emma", authorId: 1 }),
  "a local read": () => api.local.book.get(1),
  "a local create": () => api.local.book.create({ id: ++id, title: "Emma", authorId: 1 }),
  "a transaction with a create": () =>
    api.transaction((local) => local.book.create({ id: ++id, title: "Emma", authorId: 1 })),
};

await api.local.author.create({ id: 1, name: "Jane Austen" });
await api.local.book.create({ id: 1, title: "Emma", authorId: 1 });
const session = new Session();
session.connect();
await session.post("Profiler.enable");

/** Lets timers, sockets and events of the request finish. */
const settle = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 50));

console.log("| walk | files | functions |\n|---|---|---|");
for (const [name, walk] of Object.entries(walks)) {
  const isSubscription = name.includes("subscription");
  const stream = isSubscription ? await subscribe() : undefined;
  await walk();
  await walk();
  await settle();
  // Timers of the process can fire in between, so the shortest of several runs counts.
  let shortest = await record(walk);
  for (let run = 0; run < 4; run++) {
    const other = await record(walk);
    if (other.functions < shortest.functions) shortest = other;
  }
  await stream?.cancel();
  await settle();
  console.log(`| ${name} | ${shortest.visited.length} | ${shortest.functions} |`);
  if (!process.argv.includes("--files")) continue;
  for (const { file, ran } of shortest.visited) console.log(`    ${file}: ${ran.join(", ")}`);
}
server.closeAllConnections();
server.close();
await api.close();

/** Runs a walk, and returns the functions that ran by file. */
async function record(walk: () => unknown): Promise<Recorded> {
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await walk();
  await settle();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  const visited = result
    .filter(({ url: file }) => file.startsWith(packages) && file.includes("/src/"))
    .map(({ url: file, functions }) => ({
      file: relative(fileURLToPath(packages), fileURLToPath(file)),
      ran: functions.filter(hasRun).map(({ functionName }) => functionName),
    }))
    .filter(({ ran }) => ran.length > 0);
  return { visited, functions: visited.reduce((sum, { ran }) => sum + ran.length, 0) };
}

function hasRun({ functionName, ranges }: Profiler.FunctionCoverage): boolean {
  return functionName !== "" && (ranges[0]?.count ?? 0) > 0;
}

async function subscribe(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const query = "subscription { bookCreated { id title } }";
  const headers = { ...json, accept: "text/event-stream" };
  const { body } = await fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  void drain(reader);
  await settle();
  return reader;
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}
