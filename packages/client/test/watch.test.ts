import { type ClientDescription, type ClientOptions, createClient, graphqlLens, restLens } from "@bifocal/client";
import { webSockets } from "@bifocal/client/websocket";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type CuttableProxy, startCuttableProxy } from "./cuttable-proxy.ts";
import { LENSES, type Served, serveLibrary, STORES, TRANSPORTS } from "./hosts.ts";
import { ANN, type Library } from "./library.ts";

const [memory] = STORES;
const ID = "b0000000-0000-4000-8000-000000000001";
const BOOK = {
  id: ID,
  title: "Emma",
  authorId: ANN.id,
  price: 10,
  genre: "novel" as const,
  addedAt: new Date("2026-01-01T00:00:00.000Z"),
  words: null,
  size: null,
  format: null,
};
let served: Served;
let proxy: CuttableProxy;
/** After which event each event stream and each subscription begins. */
let opened: unknown[];

beforeEach(async () => {
  served = await serveLibrary(memory as (typeof STORES)[number]);
  proxy = await startCuttableProxy(served.url);
  opened = [];
  const { send } = Object.getOwnPropertyDescriptors(WebSocket.prototype);
  vi.spyOn(WebSocket.prototype, "send").mockImplementation(function (this: WebSocket, data) {
    noteSubscription(data as string);
    send.value?.call(this, data);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await proxy.close();
  await served.close();
});

function noteSubscription(text: string): void {
  const { type, payload } = JSON.parse(text) as {
    readonly type: string;
    readonly payload: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };
  };
  if (type === "subscribe") opened.push(payload.variables[/after: \$(\w+)/.exec(payload.query)?.[1] ?? ""]);
}

const noteStream: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  if (headers.get("accept") === "text/event-stream") opened.push(headers.get("last-event-id") ?? undefined);
  return fetch(input, init);
};

const next = async <T>(changes: AsyncIterator<T>): Promise<T> => (await changes.next()).value as T;

function connect(options: Pick<ClientOptions, "lens"> & Partial<ClientOptions>) {
  const headers = { authorization: `Bearer ${ANN.id}` };
  return createClient<Library>({ url: proxy.url, headers, fetch: noteStream, ...options });
}

/** Starts a watch, and waits until the server sends its changes. */
async function start<T>(changes: AsyncIterator<T>): Promise<{ readonly first: Promise<T> }> {
  const before = opened.length;
  const first = next(changes);
  await expect.poll(() => opened.length).toBeGreaterThan(before);
  await new Promise((resolve) => setTimeout(resolve, 60));
  return { first };
}

async function describeLibrary(): Promise<ClientDescription> {
  return (await (await fetch(`${served.url}/client.json`)).json()) as ClientDescription;
}

const CASES = Object.entries(LENSES).flatMap(([lensName, lens]) =>
  Object.entries(TRANSPORTS).map(([transport, option]) => [lensName, transport, lens, option] as const),
);

describe.each(CASES)("with the lens of %s over %s", (_, __, lens, option) => {
  const open = (more: Partial<ClientOptions> = {}) => connect({ lens: lens(), ...option, ...more });

  test("yields the changes that a caller may see, with their rows", async () => {
    const changes = open().book.watch({
      filter: { price: { lt: 50 }, author: { name: "Ann" } },
      select: { title: true, addedAt: true, author: { select: { name: true } } },
    });
    const { first } = await start(changes);
    const { book, person } = served.api.as(ANN);
    await person.create({ id: ANN.id, name: "Ann", email: null, born: null });
    await book.create(BOOK);
    const item = { title: "Emma", addedAt: BOOK.addedAt, author: { name: "Ann" } };
    expect(await first).toEqual({ id: expect.any(String) as string, kind: "created", item });
    await book.update(ID, { price: 60 });
    expect(await next(changes)).toEqual({ id: expect.any(String) as string, kind: "left", key: ID });
    expect(await changes.return?.()).toEqual({ done: true, value: undefined });
  });

  test("omits fields that the caller can't read", async () => {
    const { person } = served.api.as(ANN);
    await person.create({ id: ID, name: "Bob", email: "bob@example.com", born: null });
    await person.create({ id: ANN.id, name: "Ann", email: "ann@example.com", born: null });
    const changes = open().person.watch({ initial: true, select: { name: true, email: true } });
    const seen = [await next(changes), await next(changes)];
    expect(seen).toEqual([
      { kind: "current", item: { name: "Ann", email: "ann@example.com" } },
      { kind: "current", item: { name: "Bob" } },
    ]);
    await changes.return?.();
  });

  test("yields all kinds of changes of a row in their order", async () => {
    const { shelf } = served.api.as(ANN);
    const changes = open().shelf.watch({ filter: { room: "a, %" } });
    const { first } = await start(changes);
    const key = { room: "a, %", slot: 1 };
    await shelf.create({ ...key, label: "1" });
    await first;
    await shelf.update(key, { label: "2" });
    await shelf.delete(key);
    await shelf.create({ ...key, slot: 2, label: "3" });
    const seen = [await next(changes), await next(changes), await next(changes)];
    expect(seen.map(({ kind }) => kind)).toEqual(["updated", "deleted", "created"]);
    await changes.return?.();
  });

  test("yields the current rows first", async () => {
    await served.api.as(ANN).tag.create({ id: 1, name: "Classic" });
    const changes = open().tag.watch({ initial: true, on: ["updated"] });
    expect(await next(changes)).toEqual({ kind: "current", item: { id: 1, name: "Classic", writes: 1 } });
    await served.api.as(ANN).tag.create({ id: 2, name: "Sale" });
    await served.api.as(ANN).tag.update(1, { name: "Old" });
    expect(await next(changes)).toMatchObject({ kind: "updated", item: { name: "Old", writes: 2 } });
    await changes.return?.();
  });

  test("resumes after a lost connection, without losing a change", async () => {
    const { tag } = served.api.as(ANN);
    await tag.create({ id: 1, name: "0" });
    const changes = open().tag.watch({ id: 1 });
    const { first } = await start(changes);
    await tag.update(1, { name: "1" });
    const { id } = (await first) as { id: string };
    proxy.cut();
    await tag.update(1, { name: "2" });
    expect(await next(changes)).toMatchObject({ kind: "updated", item: { name: "2" } });
    expect(opened.at(-1)).toBe(id);
    await changes.return?.();
  });

  test("yields a reset if it can't know what it missed", async () => {
    const changes = open().tag.watch();
    const { first } = await start(changes);
    proxy.cut();
    expect(await first).toEqual({ kind: "reset", id: "" });
    await changes.return?.();
    const late = open().tag.watch({ after: "unknown" });
    expect(await next(late)).toEqual({ id: expect.any(String) as string, kind: "reset" });
    await late.return?.();
  });

  test("ends when its signal aborts, and closes the connection", async () => {
    const ending = new AbortController();
    const changes = open().tag.watch({ signal: ending.signal });
    const { first } = await start(changes);
    expect(proxy.open()).toBe(1);
    ending.abort();
    expect(await first).toBeUndefined();
    expect(await changes.next()).toEqual({ done: true, value: undefined });
    await expect.poll(() => proxy.open()).toBe(0);
  });

  test("throws the error of a request that can't succeed", async () => {
    const wrong = open().book.watch({ filter: { nme: "x" } as object });
    await expect(wrong.next()).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("gets a new token once for all watches", async () => {
    let token = "expired";
    let refreshed = 0;
    const client = open({
      headers: () => ({ authorization: `Bearer ${token}` }),
      refresh: () => {
        refreshed += 1;
        token = ANN.id;
      },
      description: await describeLibrary(),
    });
    const watches = [client.tag.watch({ initial: true }), client.tag.watch({ initial: true })];
    const first = Promise.all(watches.map(next));
    await served.api.as(ANN).tag.create({ id: 1, name: "Classic" });
    expect(await first).toMatchObject([{ item: { name: "Classic" } }, { item: { name: "Classic" } }]);
    expect(refreshed).toBe(1);
    await Promise.all(watches.map(async (changes) => changes.return?.()));
  });
});

describe("over WebSockets", () => {
  const open = (more: Partial<ClientOptions> = {}) => connect({ lens: restLens(), watch: webSockets(), ...more });

  test("uses one connection for all watches of a client, as long as it has any", async () => {
    const client = open();
    const watches = [client.tag.watch(), client.shelf.watch(), client.tag.watch({ id: 1 })];
    const started = await Promise.all(watches.map(async (changes) => start<unknown>(changes)));
    await served.api.as(ANN).tag.create({ id: 1, name: "Classic" });
    expect(await Promise.all([started[0]?.first, started[2]?.first])).toMatchObject([
      { kind: "created", item: { id: 1 } },
      { kind: "created", item: { id: 1 } },
    ]);
    expect([proxy.sockets(), proxy.open()]).toEqual([1, 1]);
    await watches[0]?.return?.();
    expect(proxy.open()).toBe(1);
    await Promise.all(watches.map(async (changes) => changes.return?.()));
    await expect.poll(() => proxy.open()).toBe(0);
    const later = client.tag.watch({ initial: true });
    expect(await next(later)).toMatchObject({ kind: "current", item: { id: 1 } });
    expect(proxy.sockets()).toBe(2);
    await later.return?.();
  });

  test("closes the connection if the signal aborts before it is open", async () => {
    const client = open();
    await client.tag.list();
    const ending = new AbortController();
    const first = client.tag.watch({ signal: ending.signal }).next();
    await expect.poll(() => proxy.sockets()).toBe(1);
    ending.abort();
    expect(await first).toEqual({ done: true, value: undefined });
    await expect.poll(() => proxy.open()).toBe(0);
  });

  test("accepts a filter that a URL can't express", async () => {
    const changes = open().person.watch({ filter: { born: null } });
    const { first } = await start(changes);
    const { person } = served.api.as(ANN);
    await person.create({ id: ID, name: "Bob", email: null, born: 1970 });
    await person.create({ id: ANN.id, name: "Ann", email: null, born: null });
    expect(await first).toMatchObject({ item: { name: "Ann" } });
    await changes.return?.();
  });

  test("throws METHOD_NOT_ALLOWED if GraphQL leaves out the operation", async () => {
    const { log } = open() as unknown as ReturnType<typeof createClient<Library, "rest">>;
    await expect(log.watch().next()).rejects.toMatchObject({
      code: "METHOD_NOT_ALLOWED",
      message: expect.stringContaining("'watch' for 'log'") as string,
    });
  });

  test("throws METHOD_NOT_ALLOWED if only requests reach the server", async () => {
    const blocked = await startCuttableProxy(served.url, { refusesUpgrade: true });
    const changes = open({ url: blocked.url }).tag.watch();
    await expect(changes.next()).rejects.toMatchObject({
      code: "METHOD_NOT_ALLOWED",
      message: expect.stringContaining("not by WebSocket") as string,
    });
    await blocked.close();
  });

  test("doesn't subscribe again to what the server rejects as malformed", async () => {
    const deep = (levels: number): object => (levels === 0 ? { name: "x" } : { not: deep(levels - 1) });
    const changes = open().tag.watch({ filter: deep(100) });
    await expect(changes.next()).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("sends only the id of a subscription to a server that accepts no other documents", async () => {
    const documents: Record<string, string> = {};
    const watching = webSockets({ onDocument: (id, text) => void (documents[id] = text) });
    const learned = open({ lens: graphqlLens(), watch: watching }).tag.watch();
    await start(learned);
    await learned.return?.();
    const strict = await serveLibrary(memory as (typeof STORES)[number], { persisted: { only: true, documents } });
    await strict.api.as(ANN).tag.create({ id: 1, name: "Classic" });
    const client = open({ url: strict.url, lens: graphqlLens(), watch: webSockets() });
    const changes = client.tag.watch();
    const { first } = await start(changes);
    await strict.api.as(ANN).tag.update(1, { name: "Old" });
    expect(await first).toMatchObject({ kind: "updated", item: { name: "Old" } });
    await changes.return?.();
    await expect(client.tag.watch({ initial: true }).next()).rejects.toThrow("PersistedQueryNotFound");
    await strict.close();
  });
});
