import { bifocal } from "@bifocal/fastify";
import createFastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import { Writable } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { createNotes, fetchJson } from "./notes.ts";

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

async function listen(
  prepare: (app: FastifyInstance) => void = () => {},
  options: FastifyServerOptions = {},
): Promise<string> {
  const created = createFastify(options);
  app = created;
  prepare(created);
  await created.register(bifocal, { api: createNotes(), prefix: "/api" });
  return created.listen({ port: 0, host: "127.0.0.1" });
}

test("adds the prefix to every path and link", async () => {
  const url = await listen();
  const { status, headers } = await fetchJson(`${url}/api/notes?page[size]=1`);
  expect([status, headers.get("link")]).toEqual([
    200,
    expect.stringContaining("</api/notes?page%5Bsize%5D=1&page%5Bafter%5D="),
  ]);
  expect(await fetchJson(`${url}/api`)).toMatchObject({
    body: { collections: { notes: "/api/notes" }, graphql: "/api/graphql" },
  });
  expect(
    await fetchJson(`${url}/api/graphql`, { method: "POST", body: { query: "{ note(id: 2) { text } }" } }),
  ).toMatchObject({
    body: { data: { note: { text: "note 2" } } },
  });
  expect((await fetchJson(`${url}/notes`)).body).toMatchObject({ error: "Not Found" });
  const nothing = await fetchJson(`${url}/api/nothing`);
  expect([nothing.status, (nothing.body as { message: string }).message]).toEqual([
    404,
    "Route GET:/api/nothing not found",
  ]);
  expect(await fetchJson(`${url}/api/notes/1/nothing`)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect(await fetchJson(`${url}/api/notes/1`, { method: "POST" })).toMatchObject({
    status: 405,
    body: { code: "METHOD_NOT_ALLOWED" },
  });
});

test("rejects unsupported methods itself, if Fastify knows them", async () => {
  await listen();
  const traced = await app?.inject({ method: "TRACE" as never, url: "/api/notes/1" });
  expect([traced?.statusCode, traced?.headers["allow"]]).toEqual([405, expect.stringContaining("GET")]);
});

test("registers its routes with Fastify", async () => {
  await listen();
  const routes = app?.printRoutes({ commonPrefix: false }) ?? "";
  for (const path of ["notes (GET, HEAD, QUERY", ":id (GET, HEAD, PUT", "graphql (GET", "openapi.json (GET"])
    expect(routes).toContain(path);
  expect(app?.hasRoute({ method: "PATCH", url: "/api/notes/:id" })).toBe(true);
});

test("doesn't change the app's parsers, hooks and routes", async () => {
  const seen: string[] = [];
  const url = await listen((host) => {
    host.addHook("onRequest", async (request) => void seen.push(request.url));
    host.post("/own", async (request) => ({ got: request.body }));
  });
  expect(await fetchJson(`${url}/own`, { method: "POST", body: { a: 1 } })).toMatchObject({ body: { got: { a: 1 } } });
  await fetchJson(`${url}/api/notes/1`);
  expect(seen).toEqual(["/own", "/api/notes/1"]);
});

test("lets a hook reject the request or set the caller", async () => {
  const url = await listen((host) => {
    host.addHook("onRequest", async (request, reply) => {
      if (request.headers["x-banned"] !== undefined) return reply.code(418).send({ no: true });
      if (request.headers["x-user"] !== undefined) Object.assign(request, { user: { id: request.headers["x-user"] } });
      return undefined;
    });
  });
  expect(await fetchJson(`${url}/api/notes`, { headers: { "x-banned": "1" } })).toMatchObject({
    status: 418,
    body: { no: true },
  });
  const body = { id: 9, text: "mine" };
  expect((await fetchJson(`${url}/api/notes`, { method: "POST", body })).status).toBe(401);
  expect((await fetchJson(`${url}/api/notes`, { method: "POST", body, headers: { "x-user": "ann" } })).status).toBe(
    201,
  );
});

test("logs failures to Fastify's log, with the id of the response", async () => {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const url = await listen(() => {}, { logger: { level: "info", stream }, genReqId: () => "request-7" });
  const { status, body } = await fetchJson(`${url}/api/notes/fail`, { method: "POST" });
  expect({ status, body }).toMatchObject({ status: 500, body: { code: "INTERNAL", requestId: "request-7" } });
  expect(lines.find(({ level }) => level === 50)).toMatchObject({
    reqId: "request-7",
    msg: "An operation failed.",
    err: { message: "the cause", stack: expect.any(String) as string },
  });
});

test("supports two APIs in one app", async () => {
  const url = await listen((host) => {
    void host.register(bifocal, { api: createNotes(), prefix: "/other" });
  });
  expect((await fetchJson(`${url}/other/notes/1`)).status).toBe(200);
  expect((await fetchJson(`${url}/api/notes/1`)).status).toBe(200);
});

test("works with inject, without a socket", async () => {
  await listen();
  const answer = await app?.inject({
    method: "POST",
    url: "/api/graphql",
    payload: { query: "{ notes { totalCount } }" },
  });
  expect(answer?.json()).toEqual({ data: { notes: { totalCount: 3 } } });
});

test.each(["/:tenant/api", "/files/*"])("rejects a prefix with a parameter: %s", async (prefix) => {
  const created = createFastify();
  await expect(created.register(bifocal, { api: createNotes(), prefix })).rejects.toThrow(
    `The prefix '${prefix}' contains a parameter.`,
  );
});
