import { expect, test } from "vitest";
import { createLibrary, newBook } from "./library.ts";
import { Client, serve } from "./serve.ts";

const LONG = "x".repeat(200_000);
const EVENTS = { accept: "text/event-stream" };
/** Less than the size of two of these rows. */
const LIMITS = { subscriptions: { queuedBytes: 262_144 } };

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const open = (url: string, asked: Asked = {}): Promise<Response> =>
  fetch(url, { ...asked, headers: { ...EVENTS, ...asked.headers } });

/** Returns the text of a stream from its beginning, until it has `count` events of a name or ends. */
async function read(opened: Response | Promise<Response>, event: string, count: number): Promise<string> {
  const { body } = await opened;
  let text = "";
  for await (const piece of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.endsWith("\n\n") && text.split(`event: ${event}\n`).length > count) break;
  }
  return text;
}

const names = (text: string): readonly (string | undefined)[] =>
  [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
const graphql = (query: string) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ query }),
});

/** Five rows, one of them larger than half of the queue limit. */
async function createLong() {
  const library = createLibrary(LIMITS);
  for (const id of [1, 2]) await library.books.update(id, { title: LONG });
  for (const id of [4, 5, 6]) await library.books.create({ ...newBook(id), title: LONG });
  return { ...library, served: await serve(library.api) };
}

test("F09: initial rows can exceed the queue limit for a client that reads", async () => {
  const { served } = await createLong();
  const rest = await read(open(`${served.url}/books?initial=true`), "current", 5);
  expect(names(rest)).toEqual(["current", "current", "current", "current", "current"]);
  const query = "subscription { bookUpdated(initial: true) { title } }";
  const sse = await read(open(`${served.url}/graphql`, graphql(query)), "next", 5);
  expect(names(sse)).toEqual(["next", "next", "next", "next", "next"]);
  const client = await Client.open(served.url);
  await client.send({ type: "subscribe", id: "1", payload: { query } });
  for (let n = 0; n < 5; n++) expect(await client.next()).toMatchObject({ type: "next" });
  await served.close();
});

test("F09: sends changes during the initial read after the initial rows, in order", async () => {
  const { served, books } = await createLong();
  const opened = await open(`${served.url}/books?initial=true&fields=title`);
  for (let n = 0; n < 3; n++) await books.update(1, { title: `${n}` });
  const text = await read(opened, "updated", 3);
  expect(names(text)).toEqual([...Array.from({ length: 5 }, () => "current"), "updated", "updated", "updated"]);
  await served.close();
});

test("F09: a requested result can exceed the queue limit", async () => {
  const { served } = await createLong();
  const query = "{ books { nodes { title } } }";
  const ask = graphql(query);
  const text = await read(open(`${served.url}/graphql`, ask), "complete", 1);
  expect(names(text)).toEqual(["next", "complete"]);
  expect(text).not.toContain("errors");
  const token = await (await fetch(`${served.url}/graphql`, { method: "PUT" })).text();
  const body = JSON.stringify({ query, extensions: { operationId: "1" } });
  const headers = { "content-type": "application/json", "x-graphql-event-stream-token": token };
  expect((await fetch(`${served.url}/graphql`, { method: "POST", headers, body })).status).toBe(202);
  expect(names(await read(open(`${served.url}/graphql?token=${token}`), "complete", 1))).toEqual(["next", "complete"]);
  const client = await Client.open(served.url);
  await client.send({ type: "subscribe", id: "1", payload: { query } });
  expect([(await client.next()).type, (await client.next()).type]).toEqual(["next", "complete"]);
  await served.close();
});

test("F09: missed events can exceed the queue limit for a client that reads", async () => {
  const { served, books, api } = await createLong();
  const changes = api.local.book.watch({ on: ["updated"], select: { id: true } });
  const first = changes.next();
  await books.update(1, { title: "first" });
  const { id } = (await first).value as { id: string };
  for (let n = 0; n < 20; n++) await books.update(1, { title: `${n} ${LONG}` });
  const headers = { "last-event-id": id };
  const text = await read(open(`${served.url}/books`, { headers }), "updated", 20);
  expect(names(text)).toEqual(Array.from({ length: 20 }, () => "updated"));
  await changes.return?.();
  await served.close();
});

test("F09: changes of one transaction can exceed the queue limit for a client that reads", async () => {
  const { served, api } = await createLong();
  const opened = await open(`${served.url}/books?fields=title`);
  await api.transaction(async (local) => {
    for (let id = 10; id < 20; id++) await local.book.create({ ...newBook(id), title: LONG.slice(0, 50_000) });
  });
  expect(names(await read(opened, "created", 10))).toEqual(Array.from({ length: 10 }, () => "created"));
  await served.close();
});
