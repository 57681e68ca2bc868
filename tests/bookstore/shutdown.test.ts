import { startBookstore } from "@bifocal/example-bookstore/start";
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ADAPTERS, KEYS } from "./stores.ts";

const JSON_HEADERS = { "content-type": "application/json" };

describe.each(ADAPTERS)("on %s", (adapter) => {
  test("J15, F18: closing ends sockets with 1012, ends streams in order, and completes open requests", async () => {
    const store = await startBookstore({ adapter, port: 0, keys: KEYS });
    const socket = new WebSocket(`${store.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
    const told = new Promise<string>((resolve) =>
      socket.once("close", (code: number, reason: Buffer) => resolve(`${code} ${reason.toString()}`)),
    );
    await new Promise((resolve) => socket.once("open", resolve));
    const stream = await fetch(`${store.url}/books`, { headers: { accept: "text/event-stream" } });
    const text = stream.text();
    const slow = request(`${store.url}/tags`, {
      method: "POST",
      headers: { ...JSON_HEADERS, "x-api-key": KEYS.admin },
    });
    const status = new Promise((resolve) => slow.once("response", (response) => resolve(response.statusCode)));
    slow.write('{"slug":"slow",');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = store.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    slow.end('"name":"Slow"}');
    expect(await status).toBe(201);
    await closed;
    expect(await told).toMatch(/^1012 Service restart: reconnect in [1-5] s$/);
    expect(await text).toMatch(/^: open\nretry: \d{4}\n\n$/);
    await expect(fetch(`${store.url}/books`)).rejects.toThrow("fetch failed");
  });
});
