import { createServer, type ServerResponse } from "node:http";
import { afterAll, expect, test } from "vitest";
import type { Fetch } from "./request-by-fetch.ts";
import { requestJson } from "./request-json.ts";

const RESPONSES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "/json": (response) => response.end('{"ok":true}'),
  "/moved": (response) => response.writeHead(302, { location: "/json" }).end(),
  "/long": (response) => response.end(`"${"x".repeat(600 * 1_024)}"`),
  "/empty": (response) => response.end(),
  "/never": () => {},
};
const server = createServer(({ url = "" }, response) => RESPONSES[url]?.(response)).listen(0, "127.0.0.1");
await new Promise((listening) => server.once("listening", listening));
const { port } = server.address() as { readonly port: number };
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const read = (path: string): Promise<unknown> =>
  requestJson({ url: new URL(`http://127.0.0.1:${port}${path}`), origin: "named", fetch, timeout: 500 });

test("reads JSON with the given fetch", async () => {
  expect(await read("/json")).toEqual({ ok: true });
});

test.each([
  ["a redirect", "/moved", "responded with 302"],
  ["more than 512 KiB", "/long", "more than 524288 bytes"],
  ["an empty body", "/empty", "JSON"],
  ["no response within the timeout", "/never", "timeout"],
])("rejects %s", async (_, path, message) => {
  await expect(read(path)).rejects.toThrow(message);
});

test("C16: doesn't call the given fetch for a URL with a private address", async () => {
  const called: string[] = [];
  const counted: Fetch = (url, init) => {
    called.push(url);
    return fetch(url, init);
  };
  const url = new URL("https://10.0.0.1/");
  await expect(requestJson({ url, origin: "found", fetch: counted })).rejects.toThrow("is not allowed");
  expect(called).toEqual([]);
});
