import { expressRouter } from "@bifocal/express";
import createExpress, { type ErrorRequestHandler, json, raw, Router, text } from "express";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createNotes, fetchJson } from "./notes.ts";

let server: Server | undefined;
afterEach(() => new Promise((resolve) => server?.close(resolve) ?? resolve(undefined)));

async function listen(app: ReturnType<typeof createExpress>): Promise<string> {
  const listening = app.listen(0, "127.0.0.1");
  server = listening;
  await new Promise((resolve) => listening.once("listening", resolve));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

test("includes the paths of all parent routers in links", async () => {
  const inner = Router().use("/v1", expressRouter(createNotes()));
  const url = await listen(createExpress().use("/api", inner));
  const { headers } = await fetchJson(`${url}/api/v1/notes?page[size]=1`);
  expect(headers.get("link")).toContain("</api/v1/notes?page%5Bsize%5D=1");
  const created = await fetchJson(`${url}/api/v1/notes/1`, { method: "PATCH", body: { text: "x" } });
  expect(created).toMatchObject({ status: 200, body: { text: "x" } });
});

test("gets the caller from middleware that runs before it", async () => {
  const app = createExpress();
  app.use((request, _response, next) => {
    if (request.headers["x-user"] !== undefined) Object.assign(request, { user: { id: request.headers["x-user"] } });
    next();
  });
  const url = await listen(app.use("/api", expressRouter(createNotes())));
  const body = { id: 9, text: "mine" };
  expect((await fetchJson(`${url}/api/notes`, { method: "POST", body })).status).toBe(401);
  expect((await fetchJson(`${url}/api/notes`, { method: "POST", body, headers: { "x-user": "a" } })).status).toBe(201);
});

test("accepts a body that an earlier parser has read", async () => {
  const url = await listen(createExpress().use(json({ type: ["json", "+json"] }), expressRouter(createNotes())));
  expect(await fetchJson(`${url}/notes/1`, { method: "PATCH", body: { text: "parsed" } })).toMatchObject({
    status: 200,
    body: { text: "parsed" },
  });
  const graphql = await fetchJson(`${url}/graphql`, { method: "POST", body: { query: "{ note(id: 1) { text } }" } });
  expect(graphql.body).toEqual({ data: { note: { text: "parsed" } } });
});

test.each([
  ["text", text({ type: "*/*" })],
  ["raw", raw({ type: "*/*" })],
])("accepts a body that express.%s() has read without parsing it", async (_, parser) => {
  const url = await listen(createExpress().use(parser, expressRouter(createNotes())));
  const write = async (body: string | Uint8Array<ArrayBuffer>, headers: object = {}) => {
    const json = { "content-type": "application/json" };
    return fetch(`${url}/notes/1`, { method: "PATCH", body, headers: { ...json, ...headers } });
  };
  const changed = await write('{"text":"ünparsed"}');
  expect([changed.status, await changed.json()]).toEqual([200, expect.objectContaining({ text: "ünparsed" })]);
  const graphql = await fetchJson(`${url}/graphql`, { method: "POST", body: { query: "{ note(id: 1) { text } }" } });
  expect(graphql.body).toEqual({ data: { note: { text: "ünparsed" } } });
  expect((await write('{"text":')).status).toBe(400);
  const zipped = new Uint8Array(gzipSync('{"text":"zipped"}'));
  expect((await write(zipped, { "content-encoding": "gzip" })).status).toBe(200);
});

test("applies its own limit to a body that another parser has read", async () => {
  const router = expressRouter(createNotes({ http: { bodyBytes: 100 } }));
  const url = await listen(createExpress().use(raw({ type: "*/*" }), router));
  const response = await fetchJson(`${url}/notes/1`, { method: "PATCH", body: { text: "x".repeat(100) } });
  expect(response).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
});

test("passes unknown paths to the next handler", async () => {
  const app = createExpress().use(expressRouter(createNotes()));
  app.get("/own", (_request, response) => void response.json({ own: true }));
  app.use((_request, response) => void response.status(404).json({ mine: "not found" }));
  const url = await listen(app);
  expect((await fetchJson(`${url}/own`)).body).toEqual({ own: true });
  expect(await fetchJson(`${url}/nothing`)).toMatchObject({ status: 404, body: { mine: "not found" } });
  expect(await fetchJson(`${url}/notes/99`)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
});

test("handles its own errors, and passes errors of other middleware to the app's error handler", async () => {
  const app = createExpress();
  app.use((request, _response, next) => next(request.url === "/notes/2" ? new Error("from before") : undefined));
  app.use(json(), expressRouter(createNotes()));
  const handler: ErrorRequestHandler = (error: Error, _request, response, _next) => {
    response.status(500).json({ handled: error.message });
  };
  const url = await listen(app.use(handler));
  expect((await fetchJson(`${url}/notes/2`)).body).toEqual({ handled: "from before" });
  const malformed = await fetch(`${url}/notes`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{",
  });
  expect(await malformed.json()).toEqual({ handled: expect.stringContaining("JSON") as string });
  expect((await fetchJson(`${url}/notes/fail`, { method: "POST" })).body).toMatchObject({ code: "INTERNAL" });
});

test("serves its sockets beside those of other servers", async () => {
  const router = expressRouter(createNotes());
  const url = await listen(createExpress().use("/api", router));
  expect(() => router.attach(server as Server, { prefix: "api" })).toThrow("'api' must start with '/'");
  router.attach(server as Server, { prefix: "/api" });
  server?.on("upgrade", (request, socket) => {
    if (request.url === "/mine") socket.end("HTTP/1.1 418 Mine\r\n\r\n");
  });
  const opened = new WebSocket(`${url.replace("http", "ws")}/api/graphql`, "graphql-transport-ws");
  await new Promise((resolve, reject) => opened.once("open", resolve).once("error", reject));
  opened.terminate();
  const other = new WebSocket(`${url.replace("http", "ws")}/mine`);
  await expect(new Promise((_, reject) => other.once("error", reject))).rejects.toThrow("418");
});
