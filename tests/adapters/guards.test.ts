import { allow, type AnyApi, defineApi, defineResource, memoryStore, silentLog } from "@bifocal/core";
import { expressRouter } from "@bifocal/express";
import { bifocal } from "@bifocal/fastify";
import createExpress, { type RequestHandler } from "express";
import createFastify from "fastify";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { say } from "./servers.ts";

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
  filterable: ["text"],
});
const newApi = (): AnyApi =>
  defineApi({
    resources: [note],
    store: memoryStore({ data: { note: [{ id: 1, text: "secret" }] } }),
    log: silentLog,
  });

let close: (() => Promise<unknown>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

/** HTTP requests that read the same row. */
const READS: Readonly<Record<string, (port: number) => Promise<string>>> = {
  "GET of the list": (port) => send(port, "GET", "/api/notes"),
  "GET of the row": (port) => send(port, "GET", "/api/notes/1"),
  "GET in other case": (port) => send(port, "GET", "/API/notes"),
  "GET of the event stream": async (port) => {
    const { socket, came } = say(port, head("GET", "/api/notes?initial=true", "Accept: text/event-stream"));
    setTimeout(() => socket.destroy(), 300);
    return came;
  },
  HEAD: (port) => send(port, "HEAD", "/api/notes"),
  QUERY: (port) => send(port, "QUERY", "/api/notes", "{}"),
  "GraphQL by POST": (port) => send(port, "POST", "/api/graphql", '{"query":"{ notes { nodes { text } } }"}'),
  "GraphQL by GET": (port) => send(port, "GET", "/api/graphql?query=%7Bnotes%7Bnodes%7Btext%7D%7D%7D"),
};

function head(method: string, target: string, ...lines: readonly string[]): string {
  return `${[`${method} ${target} HTTP/1.1`, "Host: x", "Connection: close", ...lines].join("\r\n")}\r\n\r\n`;
}
async function send(port: number, method: string, target: string, body = ""): Promise<string> {
  const content = body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${body.length}`];
  return say(port, head(method, target, "Accept: application/json", ...content) + body).came;
}
const statusOf = (answer: string): number => Number(answer.split(" ", 2)[1]);

const guard: RequestHandler = (request, response, next) => {
  if (request.headers["x-let-in"] === "yes") next();
  else response.sendStatus(401);
};

async function onExpress(setUp: (app: ReturnType<typeof createExpress>, api: AnyApi) => void): Promise<number> {
  const app = createExpress();
  const api = newApi();
  setUp(app, api);
  const server = createServer(app as Parameters<typeof createServer>[1]).listen(0, "127.0.0.1");
  await once(server, "listening");
  close = async () => {
    server.closeAllConnections();
    server.close();
    await api.close();
  };
  return (server.address() as AddressInfo).port;
}

describe("on Express", () => {
  test("QUERY and GraphQL pass a guard of `app.get`", async () => {
    const port = await onExpress((app, api) => {
      app.get("/api/notes", guard);
      app.use("/api", expressRouter(api));
    });
    expect(statusOf(await send(port, "GET", "/api/notes"))).toBe(401);
    for (const read of ["QUERY", "GraphQL by POST", "GraphQL by GET", "GET of the row"]) {
      expect([read, await READS[read]?.(port)]).toEqual([read, expect.stringContaining("secret")]);
    }
  });

  test.each(Object.entries(READS))("no request passes a guard of `app.use` at the mount: %s", async (_, read) => {
    const port = await onExpress((app, api) => app.use("/api", guard, expressRouter(api)));
    const answer = await read(port);
    expect(statusOf(answer)).toBe(401);
    expect(answer).not.toContain("secret");
  });

  test("a guard of `app.use` admits the requests that it permits", async () => {
    const port = await onExpress((app, api) => app.use("/api", guard, expressRouter(api)));
    expect(await say(port, head("GET", "/api/notes", "X-Let-In: yes")).came).toContain("secret");
  });
});

test.each(Object.entries(READS))(
  "on Fastify no request passes an `onRequest` hook around the plugin: %s",
  async (name, read) => {
    const app = createFastify();
    await app.register(async (scope) => {
      scope.addHook("onRequest", async (request, reply) => {
        if (request.headers["x-let-in"] !== "yes") await reply.code(401).send();
      });
      await scope.register(bifocal, { api: newApi(), prefix: "/api" });
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    close = () => app.close();
    const { port } = app.server.address() as AddressInfo;
    const answer = await read(port);
    // Fastify's routes are case-sensitive.
    expect(statusOf(answer)).toBe(name === "GET in other case" ? 404 : 401);
    expect(answer).not.toContain("secret");
  },
);
