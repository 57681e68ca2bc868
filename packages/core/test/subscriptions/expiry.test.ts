import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCaller } from "../../src/operation/create-caller.ts";
import { createLibrary, PRINCIPALS } from "./library.ts";
import { Client, serve, type Served } from "./serve.ts";

const library = createLibrary();
let served: Served;
beforeAll(async () => {
  served = await serve(library.api);
});
afterAll(() => served.close());

const QUERY = "subscription { bookUpdated { title } }";
const events = { accept: "text/event-stream" };

/** The complete text of a stream. */
async function readAll(path: string, headers: Record<string, string>): Promise<string> {
  return (await fetch(`${served.url}${path}`, { headers: { ...events, ...headers } })).text();
}

test("closes the socket and its subscriptions with 4401", async () => {
  const client = await Client.open(served.url, { key: "ann@300" });
  await client.send({ type: "subscribe", id: "1", payload: { query: QUERY } });
  await client.settle();
  expect(library.listeners()).toBe(1);
  expect(await client.closed).toEqual({ code: 4401, reason: "The credential has expired" });
  expect(library.listeners()).toBe(0);
});

test("F07: closes an idle socket", async () => {
  const client = await Client.open(served.url, { key: "ann@100" });
  expect((await client.closed).code).toBe(4401);
});

test("F07: sends nothing after that moment, however late the socket is closed", async () => {
  const client = await Client.open(served.url, { key: "ann@60" });
  await client.send({ type: "subscribe", id: "1", payload: { query: QUERY } });
  await client.settle();
  await sleep(70);
  await library.books.update(1, { title: "secret" });
  expect((await client.closed).code).toBe(4401);
  expect(client.waiting).toBe(0);
  const other = await Client.open(served.url, { key: "ann@60" });
  await sleep(70);
  await other.send({ type: "subscribe", id: "1", payload: { query: "{ book(id: 1) { title } }" } });
  expect((await other.closed).code).toBe(4401);
  expect(other.waiting).toBe(0);
});

test("ends a REST event stream with an error event", async () => {
  const text = await readAll("/books", { authorization: "Bearer ann@100" });
  const [, event, data] = /event: (\w+)\ndata: (.*)\n\n$/.exec(text) ?? [];
  expect(event).toBe("error");
  expect(JSON.parse(data ?? "")).toMatchObject({ status: 401, code: "UNAUTHENTICATED", instance: "/books" });
  expect(library.listeners()).toBe(0);
});

test("ends a GraphQL event stream with an error result", async () => {
  const path = `/graphql?query=${encodeURIComponent(QUERY)}`;
  const text = await readAll(path, { authorization: "Bearer ann@100" });
  const [, data] = /event: next\ndata: (.*)\n\nevent: complete\ndata: \n\n$/.exec(text) ?? [];
  expect(JSON.parse(data ?? "")).toMatchObject({ errors: [{ extensions: { code: "UNAUTHENTICATED" } }] });
});

test("rejects the next read of the engine's changes", async () => {
  const caller = createCaller(PRINCIPALS.ann, undefined, { expires: Date.now() + 50 });
  const selection = { fields: ["title"], relations: [] };
  const outcome = await library.api.run({ kind: "watch", resource: "book", on: ["updated"], selection }, caller);
  if (outcome.kind !== "stream") throw new Error(outcome.kind);
  await expect(outcome.changes.next()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect((await outcome.changes.next()).done).toBe(true);
});

test("rejects a credential that has already expired", async () => {
  const answer = await fetch(`${served.url}/books`, { headers: { authorization: "Bearer ann@-1" } });
  expect(answer.status).toBe(401);
  const client = new Client(served.url);
  await client.send({ type: "connection_init", payload: { key: "ann@-1" } });
  expect(await client.closed).toEqual({ code: 4403, reason: "Forbidden" });
});

test("keeps a connection open whose expiry exceeds Node's longest timer", async () => {
  const client = await Client.open(served.url, { key: `ann@${2 ** 33}` });
  await client.send({ type: "subscribe", id: "1", payload: { query: QUERY } });
  await client.settle();
  await sleep(600);
  await library.books.update(1, { title: "still" });
  expect(await client.next()).toMatchObject({ payload: { data: { bookUpdated: { title: "still" } } } });
  client.socket.close();
});
