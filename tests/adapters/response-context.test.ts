import { allow, type AnyApi, defineApi, defineResource, memoryStore } from "@bifocal/core";
import { expressRouter } from "@bifocal/express";
import { bifocal } from "@bifocal/fastify";
import { nodeHttp } from "@bifocal/node-http";
import createExpress from "express";
import createFastify from "fastify";
import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { say } from "./servers.ts";

const note = defineResource("note", {
  fields: { id: z.int32(), title: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

const storage = new AsyncLocalStorage<string>();
const CONNECTIONS = 24;
const ROUNDS = 20;

interface Seen {
  /** The path of a request, and the path in whose context its response finished. */
  readonly finished: (readonly [path: string | undefined, context: string | undefined])[];
  /** The largest number of responses that finished in one turn. */
  most: number;
}

/** Records in which context each response finishes. */
function watch(seen: Seen): (path: string | undefined) => void {
  let inTurn = 0;
  return (path) => {
    seen.finished.push([path, storage.getStore()]);
    if (inTurn === 0) setImmediate(() => (inTurn = 0));
    inTurn += 1;
    seen.most = Math.max(seen.most, inTurn);
  };
}

type Start = (api: AnyApi, finished: (path: string | undefined) => void) => Promise<Server>;

async function listening(server: Server): Promise<Server> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

const HOSTS: Readonly<Record<string, Start>> = {
  "node-http": (api, finished) => {
    const listener = nodeHttp(api);
    return listening(
      createServer((request: IncomingMessage, response: ServerResponse) => {
        response.on("finish", () => finished(request.url));
        storage.run(request.url as string, () => listener(request, response));
      }),
    );
  },
  express: (api, finished) => {
    const app = createExpress();
    app.use((request, response, next) => {
      response.on("finish", () => finished(request.originalUrl));
      storage.run(request.originalUrl, () => next());
    });
    app.use(expressRouter(api));
    return listening(createServer(app as Parameters<typeof createServer>[1]));
  },
  fastify: async (api, finished) => {
    const app = createFastify();
    app.addHook("onRequest", (request, _reply, done) => storage.run(request.url, done));
    app.addHook("onResponse", (request, _reply, done) => {
      finished(request.url);
      done();
    });
    await app.register(bifocal, { api });
    await app.ready();
    return listening(app.server);
  },
};

let close: (() => void) | undefined;

afterEach(() => close?.());

test.each(Object.keys(HOSTS))("%s finishes responses that are sent together in their own context", async (name) => {
  const rows = Array.from({ length: CONNECTIONS }, (_, index) => ({ id: index + 1, title: `Note ${index + 1}` }));
  const api = defineApi({ resources: [note], store: memoryStore({ data: { note: rows } }) });
  await api.ready;
  const seen: Seen = { finished: [], most: 0 };
  const server = await (HOSTS[name] as Start)(api, watch(seen));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const { port } = server.address() as AddressInfo;
  const get = (id: number): string => `GET /notes/${id} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const connections = rows.map(({ id }) => ({ id, ...say(port, get(id)) }));
  const received = new Map<number, string>();
  for (const { id, socket } of connections)
    socket.on("data", (piece: Buffer) => received.set(id, (received.get(id) ?? "") + piece.toString("latin1")));
  const answers = (): number =>
    [...received.values()].reduce((sum, text) => sum + text.split("HTTP/1.1 200").length - 1, 0);
  for (let round = 1; round <= ROUNDS; round++) {
    await expect.poll(answers, { interval: 1, timeout: 5_000 }).toBe(round * CONNECTIONS);
    if (round < ROUNDS) for (const { id, socket } of connections) socket.write(get(id));
  }
  for (const { socket } of connections) socket.destroy();

  for (const [id, text] of received) expect(text.split(`{"id":${id},"title":"Note ${id}"}`)).toHaveLength(ROUNDS + 1);
  expect(seen.finished).toHaveLength(CONNECTIONS * ROUNDS);
  expect(seen.most).toBeGreaterThan(1);
  expect(seen.finished.filter(([path, context]) => path !== context)).toEqual([]);
});
