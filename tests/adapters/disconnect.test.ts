import { allow, type AnyApi, defineApi, defineResource, functionStore, type Log, silentLog } from "@bifocal/core";
import { expressRouter } from "@bifocal/express";
import { bifocal } from "@bifocal/fastify";
import { fetchHandler } from "@bifocal/fetch";
import { nodeHttp } from "@bifocal/node-http";
import createExpress from "express";
import createFastify from "fastify";
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };
const report = defineResource("report", { fields: { id: z.int32() }, access });

/** An API whose store responds only when it is aborted, and records the reason. */
function slowApi(log: Log = silentLog) {
  const told: unknown[] = [];
  let started: () => void = () => {};
  const isAsked = new Promise<void>((resolve) => {
    started = resolve;
  });
  const wait = (signal: AbortSignal | undefined): Promise<never> =>
    new Promise((_, reject) => {
      started();
      signal?.addEventListener("abort", () => {
        told.push(signal.reason);
        reject(signal.reason as Error);
      });
    });
  const store = functionStore({ report: { list: ({ signal }) => wait(signal), get: (_, signal) => wait(signal) } });
  return { api: defineApi({ resources: [report], store, log }), told, isAsked };
}

type Api = AnyApi;

const SERVERS: Readonly<Record<string, (api: Api) => Promise<Server>>> = {
  "node-http": (api) => Promise.resolve(createServer(nodeHttp(api))),
  express: (api) => Promise.resolve(createServer(createExpress().use(expressRouter(api)))),
  fastify: async (api) => {
    const app = createFastify();
    await app.register(bifocal, { api });
    await app.ready();
    return app.server;
  },
};

/** Sends two pieces of a list and then fails. The response must not look complete. */
function brokenApi() {
  let calls = 0;
  const page = Array.from({ length: 500 }, (_, id) => ({ id }));
  const list = (): { page: typeof page; more: boolean } => {
    if (++calls > 2) throw new Error("The disk is gone.");
    return { page: page.map(({ id }) => ({ id: id + calls * 500 })), more: true };
  };
  return defineApi({ resources: [report], store: functionStore({ report: { list } }), log: silentLog });
}

describe.each(Object.entries(SERVERS))("on %s", (_, start) => {
  test("doesn't end a broken list like a complete one", async () => {
    const api = brokenApi();
    const server = await start(api);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/reports`, { headers: { accept: "application/x-ndjson" } });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("terminated");
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test("ends a list when the credential expires", async () => {
    let calls = 0;
    const list = async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const from = 500 * calls++;
      return { page: Array.from({ length: 500 }, (_row, id) => ({ id: from + id })), more: calls < 100 };
    };
    const api = defineApi({
      resources: [report],
      store: functionStore({ report: { list } }),
      log: silentLog,
      auth: {
        schemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
        challenge: "Key",
        authenticate: () => ({ principal: { id: "1" }, expires: new Date(Date.now() + 500) }),
      },
    });
    const server = await start(api);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const headers = { accept: "application/x-ndjson", "x-key": "1" };
    const response = await fetch(`http://127.0.0.1:${port}/reports`, { headers });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("terminated");
    expect(calls).toBeLessThan(50);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await api.close();
  });

  test.each([
    ["pipelined", 1, 100],
    ["separate", 100, 1],
  ])(
    "doesn't start %s requests that still wait when their client disconnects",
    async (_kind, connections, requests) => {
      let calls = 0;
      const sockets: Socket[] = [];
      const list = (): { page: never[]; more: boolean } => {
        calls += 1;
        const until = performance.now() + 3;
        while (performance.now() < until);
        if (calls === 10) for (const socket of sockets) socket.destroy();
        return { page: [], more: false };
      };
      const api = defineApi({ resources: [report], store: functionStore({ report: { list } }), log: silentLog });
      const server = await start(api);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      for (let n = 0; n < connections; n += 1) {
        const socket = connect(port, "127.0.0.1");
        await once(socket, "connect");
        sockets.push(socket);
      }
      for (const socket of sockets) socket.write("GET /reports HTTP/1.1\r\nHost: x\r\n\r\n".repeat(requests));
      await expect.poll(() => calls).toBeGreaterThanOrEqual(10);
      // The server stops when nothing is left to do.
      await new Promise((resolve) => server.close(resolve));
      await api.close();
      expect(calls).toBeLessThan(60);
    },
  );

  test.each([
    ["part of the body", "Content-Length: 50\r\n\r\n{"],
    ["a chunk of the body", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"],
    ["the whole body in chunks", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"],
    ["an empty body", "Content-Length: 0\r\n\r\n"],
    ["no body", "\r\n"],
    ["the whole body", "Content-Length: 2\r\n\r\n{}"],
  ])(
    "G08: a client that sends %s and disconnects during authentication isn't counted any more",
    async (_kind, rest) => {
      let asked = 0;
      let identify = (): void => {};
      const known = new Promise<void>((resolve) => (identify = resolve));
      const api = defineApi({
        resources: [report],
        log: silentLog,
        limits: { http: { inFlight: 4 } },
        auth: {
          schemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
          challenge: "Key",
          authenticate: async () => {
            asked++;
            await known;
            return null;
          },
        },
      });
      const server = await start(api);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const sockets = [1, 2, 3, 4].map(() => connect(port, "127.0.0.1"));
      for (const [at, socket] of sockets.entries()) {
        const path = at % 2 === 0 ? "/reports" : "/graphql";
        socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${rest}`);
      }
      await expect.poll(() => asked).toBe(4);
      const status = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/reports`)).status;
      expect(await status()).toBe(503);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => setTimeout(resolve, 50));
      identify();
      await expect.poll(status).toBe(200);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await api.close();
    },
  );

  test.each([
    ["GET", "/reports/1", undefined],
    ["GET", "/reports", undefined],
    ["POST", "/graphql", '{"query":"{ reports { nodes { id } } }"}'],
  ])("G08: aborts the store's work for %s %s when the client disconnects", async (method, path, body) => {
    const { api, told, isAsked } = slowApi();
    const server = await start(api);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const asked = request({ port, path, method, headers: { "content-type": "application/json" } });
    asked.on("error", () => {});
    asked.end(body);
    await isAsked;
    expect(told).toEqual([]);
    asked.destroy();
    while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(told).toMatchObject([{ name: "AbortError" }]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

test.each([
  ["its reason", new Error("aborted")],
  ["no error", "gone"],
])("fetchHandler logs no failure when the host aborts a request with %s", async (_, reason) => {
  const failures: string[] = [];
  const log = { ...silentLog, error: (message: string) => void failures.push(message) };
  const { api, isAsked } = slowApi(log);
  const leaving = new AbortController();
  const { signal } = leaving;
  const answer = fetchHandler(api)(new Request("http://localhost/reports/1", { signal }));
  await isAsked;
  leaving.abort(reason);
  expect((await answer).status).toBe(503);
  expect(failures).toEqual([]);
});
