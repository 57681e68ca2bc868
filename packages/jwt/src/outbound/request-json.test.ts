import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { requestJson } from "./request-json.ts";

test.each([
  ["http://192.0.2.1/", "named"],
  ["http://[2001:db8::1]/", "named"],
  ["https://10.0.0.1/", "found"],
  ["https://169.254.169.254/", "found"],
] as const)("opens no socket to %s if the URL is %s", async (url, origin) => {
  await expect(requestJson({ url: new URL(url), origin, timeout: 1_000 })).rejects.toThrow("is not allowed");
});

test("sends a request again if the server closed its idle connection", async () => {
  const used = new Set<Socket>();
  let isClosing = false;
  const server = createServer(({ socket }, response) => {
    if (isClosing && used.has(socket)) socket.resetAndDestroy();
    else response.end(`{"connections":${used.add(socket).size}}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.close().closeAllConnections());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const ask = async (): Promise<unknown> =>
    requestJson({ url, origin: "named", form: new URLSearchParams({ a: "b" }) });
  await Promise.all([ask(), ask(), ask()]);
  const idle = used.size;
  expect(idle).toBeGreaterThan(1);
  isClosing = true;
  expect(await ask()).toEqual({ connections: idle + 1 });
});

test("doesn't send a request again whose response has begun", async () => {
  const used = new Set<Socket>();
  let asked = 0;
  const server = createServer(({ socket }, response) => {
    asked += 1;
    if (!used.has(socket)) {
      used.add(socket);
      response.end("{}");
      return;
    }
    // Closes the server too, so a second attempt would fail.
    server.close();
    response.writeHead(200, { "content-length": 100 }).write("{");
    setTimeout(() => socket.resetAndDestroy(), 50);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await requestJson({ url, origin: "named" });
  await expect(requestJson({ url, origin: "named" })).rejects.toThrow("aborted");
  await sleep(50);
  expect(asked).toBe(2);
});

test("rejects if the server closes each connection", async () => {
  let asked = 0;
  const server = createServer(({ socket }) => {
    asked += 1;
    socket.resetAndDestroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await expect(requestJson({ url, origin: "named" })).rejects.toThrow("ECONNRESET");
  expect(asked).toBe(1);
});
