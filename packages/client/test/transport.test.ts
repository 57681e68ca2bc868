import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BifocalError, type ClientOptions, createClient, restLens } from "@bifocal/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { LENSES, type Served, serveLibrary, STORES } from "./hosts.ts";
import { ANN, type Library } from "./library.ts";

type Respond = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A proxy in front of the library. A test can let it respond by itself. */
let served: Served;
let url: string;
let seen: IncomingMessage[] = [];
let respond: Respond = () => false;
const proxy = createServer((request, response) => {
  if (request.url?.endsWith("/client.json") !== true) seen.push(request);
  if (request.url?.endsWith("/client.json") !== true && respond(request, response)) return;
  const chunks: Uint8Array[] = [];
  request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  request.on("end", () => {
    const headers = Object.entries(request.headers).filter(([name]) => name !== "connection" && name !== "host");
    const { method = "GET" } = request;
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const target = served.url.replace(/\/api$/, "") + (request.url ?? "");
    void fetch(target, {
      method,
      headers: headers.map(([name, value]) => [name, String(value)] as [string, string]),
      ...body,
    }).then(async (answer) => {
      response.writeHead(
        answer.status,
        Object.fromEntries(
          [...answer.headers].filter(
            ([name]) => !/^(content-length|transfer-encoding|connection|keep-alive|content-encoding)$/.test(name),
          ),
        ),
      );
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  });
});

const [memory] = STORES;

beforeAll(async () => {
  served = await serveLibrary(memory as (typeof STORES)[number]);
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api`;
  await served.api.as(ANN).tag.create({ id: 1, name: "Classic" });
});
afterEach(() => {
  seen = [];
  respond = () => false;
});
afterAll(async () => {
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  await served.close();
});

/** Responds to the first requests. */
function first(times: number, answer: (response: ServerResponse) => void): Respond {
  let left = times;
  return (_, response) => {
    if (left-- <= 0) return false;
    answer(response);
    return true;
  };
}

const fail =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { "content-type": "text/html", ...headers }).end("<h1>proxy</h1>");
  };

async function errorOf(work: Promise<unknown>): Promise<BifocalError> {
  const thrown: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(thrown).toBeInstanceOf(BifocalError);
  return thrown as BifocalError;
}

describe.each(Object.entries(LENSES))("over %s", (_, lens) => {
  const headers = { authorization: `Bearer ${ANN.id}` };
  const connect = (options: Partial<ClientOptions> = {}) =>
    createClient<Library>({ url, lens: lens(), headers, ...options });

  test("throws the code and the issues of invalid input", async () => {
    const error = await errorOf(connect().person.create({ id: "x", name: "", email: null, born: null }));
    expect(error).toMatchObject({ code: "VALIDATION_FAILED", status: 422 });
    expect(new Set(error.issues.map(({ path }) => path.at(-1)))).toEqual(new Set(["id", "name"]));
  });

  test("throws UNAVAILABLE without a status if the server can't be reached", async () => {
    const error = await errorOf(createClient<Library>({ url: "http://127.0.0.1:9/api", lens: lens() }).tag.get(1));
    expect(error).toMatchObject({ code: "UNAVAILABLE", status: undefined });
    expect(error.cause).toBeInstanceOf(Error);
  });

  test("throws the code of the status if a proxy responds with HTML", async () => {
    respond = first(1, fail(502));
    expect(await errorOf(connect().tag.get(1))).toMatchObject({ code: "UNAVAILABLE", status: 502 });
    respond = first(1, fail(403));
    expect(await errorOf(connect().tag.get(1))).toMatchObject({ code: "FORBIDDEN", status: 403 });
  });

  test("throws INTERNAL for a page in place of JSON", async () => {
    respond = first(1, fail(200));
    expect(await errorOf(connect().tag.list())).toMatchObject({ code: "INTERNAL", status: 200 });
  });

  test("throws UNAVAILABLE if the response is cut off", async () => {
    respond = first(1, (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write("[", () => response.destroy());
    });
    expect(await errorOf(connect().tag.list())).toMatchObject({ code: "UNAVAILABLE" });
  });

  test("names the resources if the API has no such resource", async () => {
    const client = connect() as unknown as Record<string, { list: () => Promise<unknown> }>;
    expect((await errorOf((client["sheep"] as { list: () => Promise<unknown> }).list())).message).toContain(
      "person, book",
    );
  });

  test("rejects operations that the API leaves out", async () => {
    const client = connect() as unknown as { log: { create: (input: object) => Promise<unknown> } };
    expect(await errorOf(client.log.create({ id: "1", text: "x" }))).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
    expect(seen).toEqual([]);
  });

  test("doesn't retry by default", async () => {
    respond = first(1, fail(503));
    expect(await errorOf(connect().tag.get(1))).toMatchObject({ code: "UNAVAILABLE" });
    expect(seen.length).toBe(1);
  });

  test("retries what could succeed later", async () => {
    respond = first(2, fail(503, { "retry-after": "0" }));
    expect(await connect({ retries: 2 }).tag.get(1)).toMatchObject({ name: "Classic" });
    respond = first(1, (response) => response.destroy());
    expect(await connect({ retries: 1 }).tag.get(1)).toMatchObject({ name: "Classic" });
  });

  test("doesn't retry a mistake of the caller", async () => {
    expect(await errorOf(connect({ retries: 3 }).tag.update(77, { name: "x" }))).toMatchObject({ code: "NOT_FOUND" });
    expect(seen.length).toBe(1);
  });

  test("does a retried write once", async () => {
    const id = lens().style === "rest" ? 10 : 11;
    let answered = 0;
    // The write succeeds, but its response is lost.
    respond = (request, response) => {
      if (answered++ > 0) return false;
      const chunks: Uint8Array[] = [];
      request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      request.on("end", () => {
        const own = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
        for (const name of ["host", "connection", "content-length"]) delete own[name];
        const target = served.url.replace(/\/api$/, "") + (request.url ?? "");
        void fetch(target, { method: "POST", headers: own, body: Buffer.concat(chunks) }).then(() =>
          response.destroy(),
        );
      });
      return true;
    };
    expect(await connect({ retries: 1 }).tag.create({ id, name: "Once" })).toEqual({ id, name: "Once", writes: 1 });
    const keys = seen.map((request) => request.headers["idempotency-key"]);
    expect(keys[0]).toMatch(/^"[\w-]{36}"$/);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test("refreshes once for concurrent requests, and repeats each once", async () => {
    let token = "";
    let refreshes = 0;
    const client = connect({
      headers: () => (token === "" ? {} : { authorization: `Bearer ${token}` }),
      refresh: async () => {
        refreshes += 1;
        await new Promise((resolve) => setTimeout(resolve, 30));
        token = ANN.id;
      },
    });
    const names = ["a", "b", "c"];
    const updated = await Promise.all(names.map(async (name) => client.tag.update(1, { name })));
    expect(updated.map((row) => row.name).sort()).toEqual(names);
    expect([refreshes, seen.length]).toEqual([1, 6]);
    await client.tag.update(1, { name: "Classic" });
    expect([refreshes, seen.length]).toEqual([1, 7]);
  });

  test("throws UNAUTHENTICATED if the refresh doesn't help", async () => {
    let refreshes = 0;
    const client = connect({ headers: {}, refresh: () => void (refreshes += 1) });
    expect(await errorOf(client.tag.update(1, { name: "x" }))).toMatchObject({ code: "UNAUTHENTICATED", status: 401 });
    expect(refreshes).toBe(1);
  });

  test("aborts a request and the wait before a retry", async () => {
    respond = () => true;
    const reason = new Error("stop");
    const waiting = new AbortController();
    const call = connect().tag.list({ signal: waiting.signal });
    await expect.poll(() => seen.length).toBe(1);
    waiting.abort(reason);
    await expect(call).rejects.toBe(reason);
    respond = first(9, fail(503, { "retry-after": "20" }));
    const retrying = new AbortController();
    const retried = connect({ retries: 3 }).tag.get(1, { signal: retrying.signal });
    await expect.poll(() => seen.length).toBe(2);
    retrying.abort(reason);
    await expect(retried).rejects.toBe(reason);
    await expect(connect().tag.get(1, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("updates a row with the version that it returned", async () => {
    const client = connect();
    const [one] = (await client.tag.list({ filter: { id: 1 }, select: { name: true } })).items;
    const updated = await client.tag.update(1, { name: "Newer" }, { ifMatch: one as object });
    expect(await errorOf(client.tag.update(1, { name: "Lost" }, { ifMatch: one as object }))).toMatchObject({
      code: "PRECONDITION_FAILED",
      status: 412,
    });
    await client.tag.update(1, { name: "Classic" }, { ifMatch: updated });
  });

  test("knows the version of a row without a counter that a read, a write or an action returned", async () => {
    const { person, book } = connect();
    const id = crypto.randomUUID();
    const created = await person.create({ id, name: "Ann", email: null, born: null });
    const updated = await person.update(id, { born: 1990 }, { ifMatch: created, select: { name: true } });
    const read = await person.get(id, { select: { born: true } });
    await person.update(id, { name: "Anne" }, { ifMatch: updated });
    for (const stale of [created, updated, read as object]) {
      expect(await errorOf(person.update(id, { name: "Lost" }, { ifMatch: stale }))).toMatchObject({ status: 412 });
    }
    const of = { title: "Emma", authorId: id, price: 8, genre: "novel", addedAt: new Date() } as const;
    const one = await book.create({ ...of, id, words: null, size: null, format: null });
    const cheaper = await book.actions.discount(id, { percent: 50 });
    expect(await errorOf(book.delete(id, { ifMatch: one as object }))).toMatchObject({ code: "PRECONDITION_FAILED" });
    await book.delete(id, { ifMatch: [one as object, cheaper as object] });
    expect(await book.get(id)).toBeNull();
  });

  test("reads the description once, and again after a failure", async () => {
    let requests = 0;
    const counting: typeof fetch = async (input, init) => {
      if (input === `${url}/client.json` && requests++ === 0) throw new TypeError("offline");
      return fetch(input, init);
    };
    const client = connect({ fetch: counting });
    expect(await errorOf(client.tag.get(1))).toMatchObject({ code: "UNAVAILABLE" });
    await Promise.all([client.tag.get(1), client.tag.list(), client.book.list()]);
    expect(requests).toBe(2);
  });
});

test("updates a row without a version field with its ETag over REST", async () => {
  const client = createClient<Library>({ url, lens: restLens(), headers: { authorization: `Bearer ${ANN.id}` } });
  const created = await client.person.create({ id: ANN.id, name: "Ann", email: null, born: 1 });
  const read = await client.person.get(ANN.id, { select: { name: true } });
  await client.person.update(ANN.id, { born: 2 }, { ifMatch: created });
  expect(await errorOf(client.person.update(ANN.id, { born: 3 }, { ifMatch: read as object }))).toMatchObject({
    code: "PRECONDITION_FAILED",
  });
});

test.each(Object.entries(LENSES))("explains which rows have a version, over %s", async (_, lens) => {
  const client = createClient<Library>({ url, lens: lens(), headers: { authorization: `Bearer ${ANN.id}` } });
  const [row] = (await client.person.list()).items;
  const error = await errorOf(client.person.update(ANN.id, { born: 2 }, { ifMatch: row as object }));
  expect(error).toMatchObject({
    code: "BAD_REQUEST",
    message: "The version isn't known. Pass a row of 'get', a write or an action.",
  });
});

describe("behind a host that doesn't know the method QUERY", () => {
  const names = (length: number): string[] => Array.from({ length: 60 }, (_, n) => String(n).padEnd(length, "-"));
  const connect = () => createClient<Library>({ url, lens: restLens() });
  const reject =
    (status: number): Respond =>
    ({ method }, response) => {
      if (method !== "QUERY") return false;
      response.writeHead(status, { "content-type": "text/html" }).end("<h1>Unknown method</h1>");
      return true;
    };

  test.each([400, 405, 501])("sends a long list as GET after its response %i", async (status) => {
    respond = reject(status);
    const filter = { name: { in: [...names(50), "Classic"] } };
    expect((await connect().tag.list({ filter })).items).toMatchObject([{ name: "Classic" }]);
    expect(seen.map(({ method }) => method)).toEqual(["QUERY", "GET"]);
    expect(seen[1]?.url?.length).toBeGreaterThan(4_000);
  });

  test("explains that a URL can't express the call, or is too long", async () => {
    respond = reject(400);
    const { tag, person } = connect();
    await expect(person.list({ filter: { born: null } })).rejects.toMatchObject({
      code: "METHOD_NOT_ALLOWED",
      status: 400,
      message: "The host rejects the method QUERY, and a URL can't express this call. Use graphqlLens().",
    });
    expect(seen.map(({ method }) => method)).toEqual(["QUERY"]);
    const filter = { name: { in: names(150) } };
    await expect(tag.list({ filter })).rejects.toMatchObject({ code: "URI_TOO_LONG", status: 414 });
  });

  test("sends nothing else if the API itself rejects the query", async () => {
    const filter = { name: { in: names(50) }, nme: "x" } as object;
    await expect(connect().tag.list({ filter })).rejects.toMatchObject({ code: "BAD_REQUEST", status: 400 });
    expect(seen.map(({ method }) => method)).toEqual(["QUERY"]);
  });
});

test.each([`/other`, `/api/books`])("throws for each call if the API isn't at the URL: %s", async (path) => {
  const wrongUrl = served.url.replace("/api", path);
  const wrong = createClient<Library>({ url: wrongUrl, lens: restLens() });
  const expected = { code: "INTERNAL", message: `There is no API at ${wrongUrl}.` };
  // Its status isn't that of a missing row, which `get` returns as null.
  await expect(wrong.tag.get(1)).rejects.toMatchObject(expected);
  await expect(wrong.tag.list()).rejects.toMatchObject(expected);
});

test.each<[what: string, options: unknown]>([
  ["nothing", undefined],
  ["an empty object", {}],
  ["no lens", { url: "http://host" }],
  ["no URL", { lens: restLens() }],
  ["a URL object", { url: new URL("http://host"), lens: restLens() }],
  ["a lens that wasn't called", { url: "http://host", lens: restLens }],
])("createClient explains %s", (_, options) => {
  expect(() => createClient<unknown>(options as never)).toThrow("Pass 'url' and 'lens' to createClient.");
});
