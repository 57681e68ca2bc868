import { startBookstore } from "@bifocal/example-bookstore/start";
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { HOSTS, MAX_START_MS, MISSING } from "../runtimes/host.ts";
import { ADAPTERS, KEYS } from "./stores.ts";

const JSON_HEADERS = { "content-type": "application/json" };

/** Opens a socket. Returns a promise of the code and reason with which the server closes it. */
async function openSocket(url: string): Promise<{ readonly closed: Promise<string> }> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  const closed = new Promise<string>((resolve) =>
    socket.once("close", (code: number, reason: Buffer) => resolve(`${code} ${reason.toString()}`)),
  );
  await new Promise((resolve) => socket.once("open", resolve));
  return { closed };
}

/** Opens an event stream, and a request whose body is still arriving. */
async function openWork(url: string) {
  const stream = await fetch(`${url}/books`, { headers: { accept: "text/event-stream" } });
  const slow = request(`${url}/tags`, { method: "POST", headers: { ...JSON_HEADERS, "x-api-key": KEYS.admin } });
  const status = new Promise((resolve) => slow.once("response", (response) => resolve(response.statusCode)));
  slow.write('{"slug":"slow",');
  await new Promise((resolve) => setTimeout(resolve, 50));
  return { text: stream.text(), status, finish: () => slow.end('"name":"Slow"}') };
}

const RESTART = /^1012 Service restart: reconnect in [1-5] s$/;
const ENDED = /^: open\nretry: \d{4}\n\n$/;

describe.each(ADAPTERS)("on %s", (adapter) => {
  test("J15, F18: closing ends sockets with 1012, ends streams in order, and completes open requests", async () => {
    const store = await startBookstore({ adapter, port: 0, keys: KEYS });
    const socket = await openSocket(store.url);
    const { text, status, finish } = await openWork(store.url);
    const closed = store.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    finish();
    expect(await status).toBe(201);
    await closed;
    expect(await socket.closed).toMatch(RESTART);
    expect(await text).toMatch(ENDED);
    await expect(fetch(`${store.url}/books`)).rejects.toThrow("fetch failed");
  });
});

describe.skipIf(MISSING !== undefined).each(HOSTS)(`on $name ${MISSING ?? ""}`, ({ start, lacksSockets }) => {
  test("closing the API does the same, and rejects later requests", { timeout: MAX_START_MS }, async () => {
    const host = await start({ keys: KEYS });
    try {
      const url = `http://127.0.0.1:${host.port}`;
      const sockets = lacksSockets === true ? [] : [await openSocket(url)];
      const { text, status, finish } = await openWork(url);
      const closed = fetch(`${url}/-/close`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      finish();
      expect(await status).toBe(201);
      expect((await closed).status).toBe(200);
      const reasons = await Promise.all(sockets.map(({ closed }) => closed));
      expect(reasons).toEqual(sockets.map(() => expect.stringMatching(RESTART)));
      expect(await text).toMatch(ENDED);
      expect((await fetch(`${url}/books`)).status).toBe(503);
    } finally {
      await host.close();
    }
  });
});
