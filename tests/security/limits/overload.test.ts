import { type LimitOptions, memoryStore, silentLog, type Store } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { nodeHttp } from "@bifocal/node-http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { DOORS } from "./doors.ts";
import { createLibrary, type Library } from "./library.ts";

/** A store that returns lists only when the test releases them. */
function slowStore() {
  const inner = memoryStore({ data: { book: [{ id: 1, authorId: 1, title: "Emma" }] } });
  const waiting: (() => void)[] = [];
  const store: Store = {
    ...inner,
    list: async (query, context) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return inner.list(query, context);
    },
  };
  return { store, waiting, answerAll: () => waiting.splice(0).forEach((answer) => answer()) };
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Serves the API beside a health check of the host, which shows that the process is alive. */
async function serve(api: Library): Promise<string> {
  const listener = nodeHttp(api, { fallback: (_, response) => void response.end("alive") });
  const server = createServer(listener);
  listener.attach(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => listener.close(server));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function expectShed(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  const wait = Number(response.headers.get("retry-after"));
  expect([1, 2, 3, 4, 5]).toContain(wait);
  expect(await response.text()).toContain("UNAVAILABLE");
}

const alive = async (url: string): Promise<string> => (await fetch(`${url}/healthz`)).text();

/** The status of the response to an upgrade. */
function upgradeStatus(url: string): Promise<number | undefined> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  return new Promise((resolve) => {
    socket.on("error", () => {});
    socket.on("open", () => {
      resolve(101);
      socket.close();
    });
    socket.on("unexpected-response", (_, { statusCode }) => resolve(statusCode));
  });
}

test("inFlight: rejects requests over the limit and completes the running ones", async () => {
  const { store, waiting, answerAll } = slowStore();
  const url = await serve(createLibrary({ store, limits: { http: { inFlight: 3 } } }));
  const first = Array.from({ length: 3 }, () => fetch(`${url}/books`));
  await expect.poll(() => waiting.length).toBe(3);

  await expectShed(await fetch(`${url}/books`));
  const headers = { "content-type": "application/json" };
  await expectShed(await fetch(`${url}/graphql`, { method: "POST", headers, body: '{"query":"{ __typename }"}' }));
  expect(await upgradeStatus(url)).toBe(503);
  expect(await alive(url)).toBe("alive");
  expect(waiting).toHaveLength(3);

  answerAll();
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await upgradeStatus(url)).toBe(101);
});

test.each(["distinct", "single"])(
  "inFlight: counts operations of event streams until their result: %s connections",
  async (mode) => {
    const { store, waiting, answerAll } = slowStore();
    const url = await serve(createLibrary({ store, limits: { http: { inFlight: 2 } } }));
    const token = mode === "single" ? await (await fetch(`${url}/graphql`, { method: "PUT" })).text() : undefined;
    const ask = (operationId: string): Promise<Response> =>
      fetch(`${url}/graphql`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: token === undefined ? "text/event-stream" : "application/json",
          ...(token !== undefined && { "x-graphql-event-stream-token": token }),
        },
        body: JSON.stringify({ query: "{ books { nodes { id } } }", extensions: { operationId } }),
      });
    expect((await Promise.all([ask("1"), ask("2")])).map(({ ok }) => ok)).toEqual([true, true]);
    await expect.poll(() => waiting.length).toBe(2);
    await expectShed(await ask("3"));
    answerAll();
    await expect.poll(async () => (await fetch(`${url}/graphql?query={__typename}`)).status).toBe(200);
    expect((await ask("4")).ok).toBe(true);
    answerAll();
  },
);

test("inFlight: counts operations of an open socket, and rejects them one by one", async () => {
  const { store, waiting, answerAll } = slowStore();
  const api = createLibrary({ store, limits: { http: { inFlight: 2 } } });
  const url = await serve(api);
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  const messages: { readonly id?: string; readonly type: string; readonly payload?: unknown }[] = [];
  socket.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString()) as (typeof messages)[number]));
  await once(socket, "open");
  const send = (message: object): void => socket.send(JSON.stringify(message));
  send({ type: "connection_init" });
  await expect.poll(() => messages.length).toBe(1);
  for (const id of ["a", "b", "c"]) send({ id, type: "subscribe", payload: { query: "{ books { nodes { id } } }" } });
  await expect.poll(() => messages.length).toBe(2);
  expect(messages[1]).toMatchObject({ id: "c", type: "error", payload: [{ extensions: { code: "UNAVAILABLE" } }] });
  expect(waiting).toHaveLength(2);
  await expectShed(await fetch(`${url}/books`));
  answerAll();
  await expect.poll(() => messages.filter(({ type }) => type === "complete").length).toBe(2);
  socket.close();
});

describe.each(servers.filter(({ name, missing }) => name !== "sqlite" && missing === undefined))(
  "connections of $name",
  ({ create }) => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await create();
    }, 60_000);
    afterAll(() => database.drop());

    test.each<[limit: string, limits: LimitOptions, patience: number]>([
      ["storeQueue", { http: { storeQueue: 2, storeWait: Infinity } }, 0],
      ["storeWait", { http: { storeQueue: Infinity, storeWait: 500 } }, 600],
    ])("%s: rejects operations that would wait for a connection, until one is free", async (_, limits, patience) => {
      const api = createLibrary({ store: sqlStore({ url: database.url, autoCreate: true, max: 1 }), limits });
      const url = await serve(api);
      await api.ready;
      expect((await fetch(`${url}/books`)).status).toBe(200);
      let end = (): void => {};
      const held = new Promise<void>((resolve) => (end = resolve));
      const holding = api.transaction(async (local) => {
        await local.book.list();
        await held;
      });
      const waiting = Array.from({ length: 3 }, () => fetch(`${url}/books`));
      await sleep(200 + patience);
      await expectShed(await fetch(`${url}/books`));
      expect(await alive(url)).toBe("alive");
      end();
      await holding;
      expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await fetch(`${url}/books`)).status).toBe(200);
    });
  },
);

test("F03: closes the socket of a message with more than 64 fragments", async () => {
  const url = await serve(createLibrary());
  const codeAfter = async (fragments: number): Promise<number | "open"> => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
    const closed = new Promise<number>((resolve) => socket.on("close", resolve));
    await once(socket, "open");
    const text = JSON.stringify({ type: "connection_init", payload: { x: "x".repeat(fragments) } });
    const size = Math.ceil(text.length / fragments);
    for (let n = 0; n < fragments; n++) {
      const isLast = n === fragments - 1;
      socket.send(isLast ? text.slice(n * size) : text.slice(n * size, (n + 1) * size), { fin: isLast });
    }
    const acknowledged = once(socket, "message").then(() => "open" as const);
    const code = await Promise.race([closed, acknowledged]);
    socket.terminate();
    return code;
  };
  expect(await codeAfter(64)).toBe("open");
  expect(await codeAfter(65)).toBe(1008);
});

describe("eventLoopDelay", () => {
  test("J17: rejects new requests while the event loop is always late, and recovers afterwards", {
    timeout: 60_000,
  }, async () => {
    const api = createLibrary({ limits: { http: { eventLoopDelay: 300 } } });
    const url = await serve(api);
    expect((await fetch(`${url}/books`)).status).toBe(200);

    // Half a second of work at a time with short pauses: real load on the event loop that serves.
    let isBusy = true;
    const work = (): void => {
      const until = performance.now() + 500;
      while (performance.now() < until);
      if (isBusy) setTimeout(work, 1);
    };
    work();
    await expect.poll(async () => (await fetch(`${url}/books`)).status, { timeout: 20_000 }).toBe(503);
    await expectShed(await fetch(`${url}/books`));
    expect(await DOORS["GraphQL by POST"]?.({ api, url, user: "x" })).toBe("UNAVAILABLE");
    expect(await upgradeStatus(url)).toBe(503);
    expect(await alive(url)).toBe("alive");
    isBusy = false;
    await expect.poll(async () => (await fetch(`${url}/books`)).status, { timeout: 20_000 }).toBe(200);
  });

  test("doesn't treat one pause as overload", { timeout: 20_000 }, async () => {
    const url = await serve(createLibrary({ limits: { http: { eventLoopDelay: 400 } } }));
    await fetch(`${url}/books`);
    await sleep(1_100);
    const until = performance.now() + 900;
    while (performance.now() < until);
    for (let n = 0; n < 8; n++) {
      expect((await fetch(`${url}/books`)).status).toBe(200);
      await sleep(100);
    }
  });
});

test("keeps serving if a store fails to report its queue length, and logs the error", async () => {
  const told: string[] = [];
  const log = { ...silentLog, error: (message: string) => void told.push(message) };
  const load = (): never => {
    throw new Error("not today");
  };
  const url = await serve(createLibrary({ store: { ...memoryStore(), load }, log }));
  expect((await fetch(`${url}/books`)).status).toBe(200);
  expect(told).toEqual(["A store failed to report its queue length."]);
});
