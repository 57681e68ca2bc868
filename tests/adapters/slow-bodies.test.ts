import { startAtlas } from "@bifocal/example-atlas/start";
import { startBookstore } from "@bifocal/example-bookstore/start";
import { SERVER_OPTIONS } from "@bifocal/express";
import { FASTIFY_OPTIONS } from "@bifocal/fastify";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";

interface Started {
  readonly url: string;
  readonly close: () => Promise<unknown>;
}

const EXAMPLES: Readonly<Record<string, () => Promise<Started>>> = {
  "the bookstore on node:http": () => startBookstore({ adapter: "node-http", port: 0 }),
  "the bookstore on Express": () => startBookstore({ adapter: "express", port: 0 }),
  "the bookstore on Fastify": () => startBookstore({ adapter: "fastify", port: 0 }),
  "the atlas on Fastify": () => startAtlas({ port: 0, database: "sqlite::memory:" }),
};

const { requestTimeout, connectionsCheckingInterval } = SERVER_OPTIONS;
/** Milliseconds after which Node must have noticed the timeout, on a busy machine as well. */
const LATEST = requestTimeout + 4 * connectionsCheckingInterval;

/** Sends a body, a space at a time, and returns what the server sent before it closed the connection. */
function drip(url: string, path: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = "";
    socket.on("data", (data: Buffer) => {
      received += data.toString("latin1");
    });
    socket.on("error", () => {});
    const head = ["Host: x", "Content-Type: application/json", "Content-Length: 100000"];
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`);
    const dripping = setInterval(() => socket.writable && socket.write(" "), 500);
    socket.once("close", () => {
      clearInterval(dripping);
      resolve(received);
    });
  });
}

describe.concurrent("G02: a body that arrives byte by byte gets 408, and the connection is closed", () => {
  test.each(Object.entries(EXAMPLES))("%s", { timeout: LATEST + 30_000 }, async (name, start) => {
    const { url, close } = await start();
    const began = performance.now();
    const received = await drip(url, name.startsWith("the atlas") ? "/api/graphql" : "/graphql");
    const milliseconds = performance.now() - began;
    await close();
    expect(received).toMatch(/^HTTP\/1\.1 408 /);
    expect(milliseconds).toBeGreaterThanOrEqual(requestTimeout - 1_000);
    expect(milliseconds).toBeLessThan(LATEST);
  });
});

test("the options of all adapters are the same", () => {
  const { keepAliveTimeout } = SERVER_OPTIONS;
  expect(FASTIFY_OPTIONS).toEqual({ http: SERVER_OPTIONS, requestTimeout, keepAliveTimeout });
});
