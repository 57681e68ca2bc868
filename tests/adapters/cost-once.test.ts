import { allow, belongsTo, defineApi, defineResource, hasMany, memoryStore } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { graphql } from "graphql";
import { createServer } from "node:http";
import { Session } from "node:inspector/promises";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { askSocket, openSocket } from "../security/auth/doors.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["name"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access,
  bulk: { create: 10 },
});
// The socket doors send a query for callers.
const caller = defineResource("caller", { fields: { id: z.int32(), name: z.string() }, access });

const api = defineApi({
  resources: [author, book, caller],
  store: memoryStore({ data: { author: [{ id: 1, name: "Jane" }], book: [{ id: 1, title: "Emma", authorId: 1 }] } }),
  graphql: { batching: true, cost: true },
  rateLimit: { take: () => undefined },
});
const server = createServer();
const listener = nodeHttp(api);
server.on("request", listener);
listener.attach(server);
const session = new Session();
let url = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
});

afterAll(async () => {
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  await listener.close(server);
});

/** Returns how often the function `costOf` was called since the last call of this function. */
async function countCalls(): Promise<number> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const file = result.find((one) => one.url.endsWith("/limits/cost.ts"));
  return file?.functions.find(({ functionName }) => functionName === "costOf")?.ranges[0]?.count ?? 0;
}

const json = { "content-type": "application/json" };
async function post(path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { method: "POST", headers: json, body: JSON.stringify(body) });
  expect(response.ok).toBe(true);
  return response.json();
}

async function get(path: string): Promise<void> {
  const response = await fetch(`${url}${path}`);
  expect(response.ok).toBe(true);
  await response.text();
}

async function query(text: string): Promise<void> {
  expect(await post("/graphql", { query: text })).not.toHaveProperty("errors");
}

/** Opens an event stream and ends it after its first bytes. */
async function openStream(path: string, init: RequestInit): Promise<void> {
  const accept = { accept: "text/event-stream" };
  const response = await fetch(`${url}${path}`, { ...init, headers: { ...json, ...accept } });
  expect(response.status).toBe(200);
  await response.body?.cancel();
}

let id = 1;
const create = (alias: string): string =>
  `${alias}: createBook(input: { id: ${++id}, title: "Persuasion", authorId: 1 }) { id }`;
const newBook = () => ({ id: ++id, title: "Persuasion", authorId: 1 });

/** A request through each door, and the number of operations that it runs. */
const DOORS: readonly (readonly [name: string, operations: number, ask: () => Promise<unknown>])[] = [
  ["REST, an item", 1, () => get("/books/1")],
  ["REST, a list", 1, () => get("/authors?include=books&filter[name]=Jane")],
  ["REST, a create", 1, () => post("/books", newBook())],
  ["REST, several creates", 1, () => post("/books", [newBook(), newBook()])],
  ["REST, an event stream", 1, () => openStream("/books", {})],
  ["GraphQL, a new document", 1, () => query("{ books { nodes { id } } }")],
  ["GraphQL, a known document", 1, () => query("{ books { nodes { id } } }")],
  ["GraphQL, several fields", 2, () => query("{ books { nodes { id } } author(id: 1) { name } }")],
  ["GraphQL, a mutation", 1, () => query(`mutation { ${create("a")} }`)],
  ["GraphQL, several mutations", 2, () => query(`mutation { ${create("a")} ${create("b")} }`)],
  [
    "GraphQL, a batch",
    2,
    () =>
      post(
        "/graphql",
        ["{ author(id: 1) { id } }", "{ book(id: 1) { id } }"].map((one) => ({ query: one })),
      ),
  ],
  [
    "GraphQL, a subscription",
    1,
    () =>
      openStream("/graphql", {
        method: "POST",
        body: JSON.stringify({ query: "subscription { bookCreated { id } }" }),
      }),
  ],
  ["GraphQL, a WebSocket", 1, async () => askSocket(await openSocket(url, {}), undefined)],
  [
    "another GraphQL server",
    1,
    () =>
      graphql({
        schema: api.graphql.schema,
        source: "{ books { nodes { id } } }",
        contextValue: api.graphql.context(null),
      }),
  ],
  ["a local call", 1, () => api.local.book.get(1)],
  ["a local create", 1, () => api.local.book.create(newBook())],
  [
    "a transaction",
    2,
    () =>
      api.transaction(async (local) => {
        await local.book.create(newBook());
        await local.book.get(1);
      }),
  ],
];

test.each(DOORS)("computes the cost of each operation once: %s", async (_name, operations, ask) => {
  await countCalls();
  await ask();
  expect(await countCalls()).toBe(operations);
});
