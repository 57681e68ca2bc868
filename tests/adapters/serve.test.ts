import { once } from "node:events";
import { allow, defineApi, defineResource } from "@bifocal/core";
import { serve, SERVER_OPTIONS } from "@bifocal/node-http";
import { expect, test } from "vitest";
import { z } from "zod";

const HOST = "127.0.0.1";

function createApi() {
  const access = { read: allow, create: allow, update: allow, delete: allow };
  const note = defineResource("note", { fields: { id: z.int32() }, access });
  return defineApi({ resources: [note] });
}

test("serves both styles below a prefix, with WebSockets and timeouts, until it is closed", async () => {
  const { url, server, close } = await serve(createApi(), { port: 0, host: HOST, prefix: "/api" });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
  expect(await (await fetch(`${url}/notes`)).json()).toEqual([]);
  const { requestTimeout, headersTimeout, keepAliveTimeout } = server;
  expect(SERVER_OPTIONS).toMatchObject({ requestTimeout, headersTimeout, keepAliveTimeout });
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  await once(socket, "open");
  const closed = once(socket, "close");
  await close();
  expect((await closed)[0]).toMatchObject({ code: 1012 });
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("accepts the text of an environment variable", async () => {
  const { url, close } = await serve(createApi(), { port: "0", host: HOST });
  expect((await fetch(`${url}/notes`)).status).toBe(200);
  await close();
});

test.each(["abc", "", "-1", "3000.5", 65_536, -1, Number.NaN])("rejects %j as a port", async (port) => {
  await expect(serve(createApi(), { port, host: HOST })).rejects.toThrow("The port must be a number from 0 to 65535");
});

test("says that a port is in use, and keeps the error of Node as the cause", async () => {
  const { server, close } = await serve(createApi(), { port: 0, host: HOST });
  const { port } = server.address() as { readonly port: number };
  await expect(serve(createApi(), { port, host: HOST })).rejects.toMatchObject({
    code: "EADDRINUSE",
    message: `Port ${port} is in use. Stop the other program, or choose another port.`,
    cause: { syscall: "listen" },
  });
  await close();
});

test.each([
  ["203.0.113.1", "EADDRNOTAVAIL"],
  ["host.invalid", /^(ENOTFOUND|EAI_AGAIN)$/],
])("says that %s is not an address of this machine", async (host, code) => {
  await expect(serve(createApi(), { port: 0, host })).rejects.toMatchObject({
    code: expect.stringMatching(code) as string,
    message: `'${host}' is not an address of this machine. Set 'host' to one, such as 127.0.0.1, or leave it out.`,
  });
});

test.each([
  [undefined, "127.0.0.1"],
  ["0.0.0.0", "127.0.0.1"],
  ["localhost", "localhost"],
])("with host %s, its URL can be opened", async (host, shown) => {
  const { url, close } = await serve(createApi(), { port: 0, host });
  expect(new URL(url).hostname).toBe(shown);
  expect((await fetch(`${url}/notes`)).status).toBe(200);
  await close();
});
