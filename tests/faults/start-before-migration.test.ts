import { createServer } from "node:http";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allow, type AnyApi, defineApi, defineResource, type Log, silentLog } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { applyMigrations, planMigration, sqlStore } from "@bifocal/sql";
import { servers, startTcpProxy, type TestDatabase } from "@bifocal/test-servers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { subscribeBySocket, subscribeByStream } from "../chaos/subscriber.ts";
import { ask, post, type Reply } from "./counters.ts";

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

function createApi(url: string, log: Log = silentLog) {
  return defineApi({
    resources: [book],
    store: sqlStore({ url, autoCreate: false, connectTimeout: 1_000 }),
    events: { poll: 100 },
    log,
  });
}
type Library = ReturnType<typeof createApi>;

async function serve(api: AnyApi): Promise<{ readonly base: string; readonly close: () => Promise<void> }> {
  const mount = nodeHttp(api);
  const server = createServer(mount);
  mount.attach(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    base: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await api.close();
    },
  };
}

/** Plans and applies the migration as a deployment does, with a store of its own. */
async function migrate(url: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "migrations-"));
  const [planner, store] = [createApi(url), sqlStore(url)];
  try {
    writeFileSync(join(folder, "0001_create_books.sql"), (await planMigration(planner, { folder })).text);
    await applyMigrations(store, { folder });
  } finally {
    await planner.close();
    await store.close?.();
    rmSync(folder, { recursive: true });
  }
}

const isReady = ({ ready }: Library): Promise<boolean> =>
  ready.then(
    () => true,
    () => false,
  );

const unavailable = ({ status, retryAfter, body }: Reply): void => {
  expect({ status, code: body["code"] }).toEqual({ status: 503, code: "UNAVAILABLE" });
  expect(Number(retryAfter)).toBeGreaterThan(0);
  expect(Number(retryAfter)).toBeLessThanOrEqual(15);
};

const QUERY = { query: "{ books { nodes { id } } }" };

for (const { name, missing, create } of servers)
  describe.skipIf(missing !== undefined)(`an instance that starts before its migration on ${name}`, () => {
    let database: TestDatabase;
    let closing: (() => Promise<void>)[];
    beforeEach(async () => {
      database = await create();
      closing = [() => database.drop()];
    });
    afterEach(async () => {
      for (const close of closing.reverse()) await close();
    });

    async function start(url: string): Promise<{ readonly api: Library; readonly base: string }> {
      const api = createApi(url);
      const { base, close } = await serve(api);
      closing.push(close);
      return { api, base };
    }

    test("returns 503 with Retry-After until the tables exist, then works without a restart", async () => {
      const { api, base } = await start(database.url);
      const subscribers = [subscribeByStream(() => base), subscribeBySocket(() => base)];
      for (const one of subscribers) closing.push(() => one.stop());
      for (let times = 0; times < 5; times++) unavailable(await ask(base, "/books"));
      unavailable(await post(base, "/books", { id: 1, title: "x" }));
      expect((await post(base, "/graphql", QUERY)).body).toMatchObject({
        errors: [{ extensions: { code: "UNAVAILABLE" } }],
      });
      expect(await api.local.book.list().catch(String)).toContain("is unavailable");
      expect(await isReady(api)).toBe(false);
      // Requests that need no data still work.
      expect((await ask(base, "/openapi.json")).status).toBe(200);

      await migrate(database.url);
      await expect.poll(async () => (await ask(base, "/books")).status, { interval: 100 }).toBe(200);
      expect(await isReady(api)).toBe(true);
      expect((await post(base, "/graphql", QUERY)).body).toEqual({ data: { books: { nodes: [] } } });
      expect(await api.local.book.list()).toMatchObject({ items: [] });

      await Promise.all(subscribers.map(({ opened }) => opened));
      let id = 0;
      const heard = (): boolean[] => subscribers.map((one) => one.heard.length > 0);
      // A client that was rejected retries later.
      await expect
        .poll(async () => [(await post(base, "/books", { id: ++id, title: "x" })).status, ...heard()], {
          interval: 300,
        })
        .toEqual([201, true, true]);
      // With the log in the database, event ids survive a restart.
      const again = await start(database.url);
      const resumed = await fetch(`${again.base}/books?fields=id`, {
        headers: { accept: "text/event-stream", "last-event-id": subscribers[0]?.heard[0]?.id as string },
      });
      const reader = (resumed.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      // It resumes after the first event, so a second one follows.
      expect((await post(base, "/books", { id: ++id, title: "x" })).status).toBe(201);
      while (!text.includes(`{"id":${id}}`)) text += (await reader.read()).value ?? "";
      expect(text).not.toContain("event: reset");
      await reader.cancel();
    });

    test.skipIf(name === "sqlite")("behaves the same if the database is down at the start", async () => {
      const { hostname, port } = new URL(database.url);
      const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
      closing.push(() => proxy.close());
      await proxy.refuse();
      const { api, base } = await start(proxy.urlOf(database.url));
      for (let times = 0; times < 3; times++) unavailable(await ask(base, "/books"));
      expect(await isReady(api)).toBe(false);
      await proxy.accept();
      // Missing tables must not cause a 500 either.
      for (let times = 0; times < 5; times++) unavailable(await ask(base, "/books"));
      expect(await isReady(api)).toBe(false);
      await migrate(database.url);
      await expect.poll(async () => (await ask(base, "/books")).status, { interval: 100 }).toBe(200);
      expect(await isReady(api)).toBe(true);
    });

    test("becomes ready without any request", async () => {
      const messages: string[] = [];
      const api = createApi(database.url, { ...silentLog, info: (message) => void messages.push(message) });
      closing.push(() => api.close());
      expect(await isReady(api)).toBe(false);
      await migrate(database.url);
      // Reading `api.ready` could start an attempt, so the log tells when the stores are open.
      await expect.poll(() => messages, { timeout: 15_000 }).toContain("All stores are open.");
      // It is ready immediately, because the attempt was made earlier.
      const first = await Promise.race([api.ready.then(() => "ready"), new Promise((done) => setImmediate(done))]);
      expect(first).toBe("ready");
    });
  });
