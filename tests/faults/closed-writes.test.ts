import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { servers } from "@bifocal/test-servers";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { fetchJson } from "../adapters/notes.ts";
import { type Running, SERVERS } from "../adapters/servers.ts";

/** When the client disconnects, and whether the write may be complete then. */
const STAGES = {
  "after the head": [false],
  "within the body": [false],
  "right after the body": [false, true],
  "before the row is written": [false, true],
  "before the commit": [false, true],
  "at the start of the response": [true],
};
type Stage = keyof typeof STAGES;

let id = 1;
const newBook = (): { id: number; title: string } => ({ id: ++id, title: "new" });
const mutation = (text: string, variables: object) => ["POST", "/graphql", { query: text, variables }] as const;

/** Each returns the method, the path and the body of a write, and the ids of its rows. */
const WRITES = {
  "a create": () => {
    const book = newBook();
    return { ids: [book.id], sent: ["POST", "/books", book] as const };
  },
  "a bulk create": () => {
    const books = [newBook(), newBook(), newBook()];
    return { ids: books.map((book) => book.id), sent: ["POST", "/books", books] as const };
  },
  "an update": () => ({ ids: [1], sent: ["PATCH", "/books/1", { title: `changed ${++id}` }] as const }),
  "a mutation": () => {
    const input = newBook();
    const text = "mutation ($input: CreateBookInput!) { createBook(input: $input) { id title } }";
    return { ids: [input.id], sent: mutation(text, { input }) };
  },
  "a bulk mutation": () => {
    const input = [newBook(), newBook()];
    const text = "mutation ($input: [CreateBookInput!]!) { createBooks(input: $input) { id } }";
    return { ids: input.map((book) => book.id), sent: mutation(text, { input }) };
  },
};

/** An API with a single connection, which calls `inHook` within the transaction of a write. */
async function open(url: string) {
  const state: { inHook: ((stage: Stage) => Promise<void>) | undefined } = { inHook: undefined };
  const before = async (): Promise<void> => state.inHook?.("before the row is written");
  const after = async (): Promise<void> => state.inHook?.("before the commit");
  const book = defineResource("book", {
    fields: { id: z.int32(), title: z.string() },
    access: { read: allow, create: allow, update: allow, delete: allow },
    bulk: { create: 10 },
    hooks: { create: { before, after }, update: { before, after } },
  });
  const store = sqlStore({ url, autoCreate: true, ...(url.startsWith("sqlite") ? {} : { max: 1 }) });
  const api = defineApi({ resources: [book], store, log: silentLog, events: { poll: 20 }, rateLimit: false });
  await api.ready;
  const running = await (SERVERS["node-http"] as (typeof SERVERS)[string])(api);
  await api.local.book.create({ id: 1, title: "first" });
  const events: string[] = [];
  void (async () => {
    for await (const { kind, item } of api.local.book.watch({ on: ["created", "updated"], initial: true })) {
      events.push(`${kind} ${item.id} ${item.title}`);
    }
  })();
  // The initial state shows that the subscription is open.
  while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return { state, running, events };
}

/** Sends a write and closes its socket at a stage. */
async function sendAndClose({ running, state }: Opened, [method, path, body]: Sent, stage: Stage): Promise<void> {
  const text = JSON.stringify(body);
  const lines = ["Host: x", "Content-Type: application/json", `Content-Length: ${text.length}`];
  const head = `${method} /api${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
  const socket = connect(running.port, "127.0.0.1");
  const [accepted] = (await once(running.server, "connection")) as [Socket];
  // Node reports half of a request as an error of the socket, with which `once` would reject.
  const closed = new Promise<unknown>((resolve) => accepted.once("close", resolve));
  state.inHook = async (reached) => {
    if (reached !== stage) return;
    socket.destroy();
    await closed;
  };
  if (stage === "after the head") socket.end(head);
  else if (stage === "within the body") socket.end(head + text.slice(0, -3));
  else socket.write(head + text);
  if (stage === "right after the body") socket.end();
  if (stage === "at the start of the response") socket.once("data", () => socket.destroy());
  socket.on("error", () => {}).resume();
  await closed;
  state.inHook = undefined;
}

type Opened = Awaited<ReturnType<typeof open>>;
type Sent = ReturnType<(typeof WRITES)[keyof typeof WRITES]>["sent"];

describe.each(servers)("$name", ({ missing, create }) => {
  let opened: Opened & { readonly base: string };
  let drop: (() => Promise<void>) | undefined;
  let running: Running | undefined;

  beforeAll(async () => {
    if (missing !== undefined) return;
    const database = await create();
    drop = database.drop;
    const api = await open(database.url);
    running = api.running;
    opened = { ...api, base: `http://127.0.0.1:${running.port}/api` };
  });
  afterAll(async () => {
    await running?.close();
    await drop?.();
  });

  const titleOf = async (key: number): Promise<string | undefined> => {
    const { body } = await fetchJson(`${opened.base}/books/${key}`);
    return (body as { readonly title?: string }).title;
  };

  describe.skipIf(missing !== undefined).each(Object.keys(STAGES) as Stage[])(
    "a client that disconnects %s",
    (stage) => {
      test.each(Object.keys(WRITES) as (keyof typeof WRITES)[])(
        "G08: leaves %s complete with its events, or undone",
        async (name) => {
          const { ids, sent } = WRITES[name]();
          const before = await titleOf(ids[0] as number);
          opened.events.length = 0;
          await sendAndClose(opened, sent, stage);
          // It needs the only connection, so none has leaked. Its event comes after all earlier ones.
          const last = newBook();
          const { status } = await fetchJson(`${opened.base}/books`, { method: "POST", body: last });
          expect(status).toBe(201);
          await expect.poll(() => opened.events, { timeout: 5_000 }).toContain(`created ${last.id} new`);
          const titles = await Promise.all(ids.map(titleOf));
          const isDone = titles[0] !== before;
          expect(titles.map((title) => title !== before)).toEqual(ids.map(() => isDone));
          const kind = name === "an update" ? "updated" : "created";
          const expected = isDone ? ids.map((key, index) => `${kind} ${key} ${titles[index]}`) : [];
          expect(opened.events).toEqual([...expected, `created ${last.id} new`]);
          expect(STAGES[stage]).toContain(isDone);
        },
      );
    },
  );
});
