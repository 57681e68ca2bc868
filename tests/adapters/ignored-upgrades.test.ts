import { allow, type AnyApi, defineApi, defineResource, memoryStore } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Running, SERVERS, say, upgradeOf } from "./servers.ts";

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const createApi = (): AnyApi =>
  defineApi({
    resources: [note],
    store: memoryStore({ data: { note: [{ id: 1, text: "one" }] } }),
    limits: { http: { headers: 20 } },
  });

let running: Running | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const H2C = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n";
const UNKNOWN = "Connection: upgrade\r\nUpgrade: foo/1.0, bar\r\n";
const JSON_TYPE = "Content-Type: application/json\r\n";
const BODY = '{"id":7,"text":"seven"}';
const LAST = "GET /api/notes/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
const length = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n`;

/** Requests with a placeholder for the upgrade in their head. */
const REQUESTS: Readonly<Record<string, (offer: string) => string>> = {
  "no body": (offer) => `GET /api/notes HTTP/1.1\r\nHost: x\r\n${offer}\r\n`,
  "a body": (offer) => `POST /api/notes HTTP/1.1\r\nHost: x\r\n${offer}${JSON_TYPE}${length(BODY)}\r\n${BODY}`,
  "a body in chunks": (offer) =>
    `POST /api/notes HTTP/1.1\r\nHost: x\r\n${offer}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
  "a body that looks like a request": (offer) => {
    const body = "DELETE /api/notes/1 HTTP/1.1\r\nHost: x\r\n\r\n";
    return `POST /api/notes HTTP/1.1\r\nHost: x\r\n${offer}${JSON_TYPE}${length(body)}\r\n${body}`;
  },
  "a length and chunks": (offer) =>
    `POST /api/notes HTTP/1.1\r\nHost: x\r\n${offer}${JSON_TYPE}${length(BODY)}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  "too many headers": (offer) =>
    `GET /api/notes HTTP/1.1\r\nHost: x\r\n${offer}${Array.from({ length: 30 }, (_, n) => `X-${n}: 1\r\n`).join("")}\r\n`,
  "two hosts": (offer) => `GET /api/notes HTTP/1.1\r\nHost: x\r\nHost: y\r\n${offer}\r\n`,
  "two content types": (offer) =>
    `POST /api/notes HTTP/1.1\r\nHost: x\r\n${offer}${JSON_TYPE}Content-Type: text/plain\r\n${length(BODY)}\r\n${BODY}`,
  "a folded header": (offer) => `GET /api/notes HTTP/1.1\r\nHost: x\r\n${offer}X-Folded: a\r\n b\r\n\r\n`,
  "odd characters": (offer) => `GET /api/notes HTTP/1.1\r\nHost: x\r\n${offer}X-Odd: \xe9\t\xff "\r\n\r\n`,
  "a colon behind a space": (offer) => `GET /api/notes HTTP/1.1\r\nHost: x\r\n${offer}X-Space : 1\r\n\r\n`,
  "no host": (offer) => `GET /api/notes HTTP/1.1\r\n${offer}\r\n`,
  "an expectation": (offer) =>
    `POST /api/notes HTTP/1.1\r\nHost: x\r\n${offer}${JSON_TYPE}Expect: 100-continue\r\n${length(BODY)}\r\n${BODY}`,
};

/** The bytes of a connection, without the parts that vary. */
async function exchange(port: number, text: string): Promise<string> {
  const { socket, came } = say(port, "");
  socket.write(Buffer.from(text, "latin1"));
  const all = await came;
  return all.replaceAll(/^(date|etag|x-request-id): .*\r\n|"instance":"[^"]*"/gim, "");
}

describe.each(Object.entries(SERVERS))("on %s", (_, start) => {
  describe.each([
    ["h2c", H2C],
    ["an unknown protocol", UNKNOWN],
  ])("a request that offers %s", (_protocol, offer) => {
    test.each(Object.entries(REQUESTS))("is served without the upgrade, with %s", async (_name, request) => {
      running = await start(createApi());
      const plain = await exchange(running.port, request("Connection: close\r\n"));
      await running.close();
      running = await start(createApi());
      const offered = await exchange(running.port, request(offer) + LAST);
      expect(plain).toMatch(/^HTTP\/1\.1 \d/);
      expect(offered).toBe(plain);
    });
  });

  test("is served once, on its own connection", async () => {
    const here = (running = await start(createApi()));
    let connections = 0;
    here.server.on("connection", () => connections++);
    const answers = await exchange(here.port, REQUESTS["no body"]?.(H2C) + LAST);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
    expect(connections).toBe(1);
  });

  test("a WebSocket upgrade with a body is rejected", async () => {
    running = await start(createApi());
    for (const header of ["Content-Length: 4", "Transfer-Encoding: chunked"]) {
      const answer = await say(running.port, `${upgradeOf("/api/graphql", header)}abcd`).came;
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    }
  });
});

test("a host that listens for upgrades gets those of other protocols", async () => {
  const listener = nodeHttp(createApi(), { prefix: "/api" });
  const server = createServer(listener);
  listener.attach(server);
  server.on("upgrade", (request, socket) => {
    if (request.headers.upgrade === "h2c") socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect(await say(port, `GET /api/notes HTTP/1.1\r\nHost: x\r\n${H2C}\r\n`).came).toMatch(/ 101 /);
  await listener.close(server);
});

describe("on Node versions that cannot ignore an offer", () => {
  /** A server like those before Node 22.21 and 24.9, which emit `upgrade` for every offer if there is a listener. */
  async function createOldServer(): Promise<Server> {
    const listener = nodeHttp(createApi(), { prefix: "/api" });
    const server = createServer(listener) as Server & { shouldUpgradeCallback?: unknown };
    const { shouldUpgradeCallback } = server;
    delete server.shouldUpgradeCallback;
    listener.attach(server);
    server.shouldUpgradeCallback = shouldUpgradeCallback;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    running = { server, port: (server.address() as AddressInfo).port, close: () => listener.close(server) };
    return server;
  }

  test.each([
    ["no body", 200],
    ["a body", 400],
    ["a body in chunks", 400],
    ["a body that looks like a request", 400],
    ["too many headers", 431],
    ["two hosts", 400],
  ])("a request with %s gets a %i, and ends its connection", async (name, status) => {
    const server = await createOldServer();
    const seen: string[] = [];
    server.on("request", ({ method = "", url = "" }) => seen.push(`${method} ${url}`));
    const request = REQUESTS[name]?.(H2C) ?? "";
    const answers = await exchange((running as Running).port, request + LAST);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
    expect(answers).toMatch(/^connection: close\r$/im);
    // Its body and the following bytes must not be parsed as a request.
    expect(seen).toEqual(name.includes("body") && name !== "no body" ? [] : ["GET /api/notes"]);
  });
});
