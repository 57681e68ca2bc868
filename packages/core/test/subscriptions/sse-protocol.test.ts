import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLibrary } from "./library.ts";
import { serve, type Served } from "./serve.ts";

const library = createLibrary({ subscriptions: { socketOperations: 3 } });
let served: Served;
beforeAll(async () => {
  served = await serve(library.api);
});
afterAll(() => served.close());

const WATCH = "subscription { bookUpdated { title } }";
const STREAM = { accept: "text/event-stream" };
const TOKEN = "x-graphql-event-stream-token";

function send(method: string, parts: { headers?: Record<string, string>; body?: unknown; search?: string } = {}) {
  const { headers = {}, body, search = "" } = parts;
  return fetch(`${served.url}/graphql${search}`, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const reserve = async (): Promise<string> => (await send("PUT")).text();
const ask = (token: string, operationId: unknown, query = WATCH, headers: Record<string, string> = {}) =>
  send("POST", { headers: { [TOKEN]: token, ...headers }, body: { query, extensions: { operationId } } });
const stop = (token: string, id: string) =>
  send("DELETE", { headers: { [TOKEN]: token }, search: `?operationId=${id}` });

/** Yields each event of a stream, without comments. */
async function* events(response: Response): AsyncGenerator<{ event: string; data: unknown }> {
  let text = "";
  for await (const piece of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (event !== "") yield { event, data: data === "" ? null : (JSON.parse(data) as unknown) };
    }
  }
}

describe("a stream for each operation", () => {
  test("has headers against buffering by proxies", async () => {
    const response = await send("POST", { headers: STREAM, body: { query: WATCH } });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    await response.body?.cancel();
    await expect.poll(() => library.listeners()).toBe(0);
  });

  test.each<[name: string, query: string, data: object]>([
    ["a query", "{ book(id: 1) { title } }", { data: { book: { title: "Book 1" } } }],
    ["unparsable", "{", { errors: [{ extensions: { code: "BAD_REQUEST" } }] }],
    [
      "rejected",
      `subscription { bookUpdated(filter: ${"{ not: ".repeat(9)} { id: { eq: 1 } } ${"}".repeat(9)}) { title } }`,
      { errors: [{}] },
    ],
  ])("%s returns one result and completes", async (_, query, data) => {
    const seen = [];
    for await (const event of events(await send("POST", { headers: STREAM, body: { query } }))) seen.push(event);
    expect(seen).toMatchObject([
      { event: "next", data },
      { event: "complete", data: null },
    ]);
  });

  test("rejects a mutation by GET", async () => {
    const search = `?query=${encodeURIComponent("mutation { deleteBook(id: 1) { deleted } }")}`;
    expect((await send("GET", { headers: STREAM, search })).status).toBe(405);
  });
});

describe("one stream for many operations", () => {
  test("carries operations by their ids, until each is stopped", async () => {
    const token = await reserve();
    const stream = await send("GET", { headers: { ...STREAM, [TOKEN]: token } });
    const seen = events(stream);
    expect((await ask(token, "a")).status).toBe(202);
    expect((await ask(token, "b", "{ book(id: 1) { id } }")).status).toBe(202);
    expect((await seen.next()).value).toEqual({
      event: "next",
      data: { id: "b", payload: { data: { book: { id: "1" } } } },
    });
    expect((await seen.next()).value).toEqual({ event: "complete", data: { id: "b" } });
    await library.books.update(1, { title: "New" });
    expect((await seen.next()).value).toMatchObject({
      data: { id: "a", payload: { data: { bookUpdated: { title: "New" } } } },
    });
    expect((await stop(token, "a")).status).toBe(200);
    await expect.poll(() => library.listeners()).toBe(0);
    // The operation id is available again.
    expect((await ask(token, "a")).status).toBe(202);
    await stream.body?.cancel().catch(() => {});
    await seen.return(undefined);
  });

  test("keeps results from before it is opened, and accepts its token in the URL", async () => {
    const token = await reserve();
    await ask(token, "a", "{ book(id: 2) { title } }");
    const stream = await send("GET", { headers: STREAM, search: `?token=${token}` });
    expect((await events(stream).next()).value).toMatchObject({ data: { id: "a" } });
  });

  test("acts only for the caller that reserved it", async () => {
    const cy = { authorization: "Bearer cy" };
    const token = await (await send("PUT", { headers: cy })).text();
    const seen = events(await send("GET", { headers: { ...STREAM, ...cy, [TOKEN]: token } }));
    expect((await ask(token, "nobody", "{ book(id: 1) { price } }")).status).toBe(404);
    expect((await ask(token, "cy", "{ book(id: 1) { price } }", cy)).status).toBe(202);
    expect((await seen.next()).value).toMatchObject({
      data: { id: "cy", payload: { data: { book: { price: 1 } } } },
    });
  });

  test("stops every operation when its client disconnects", async () => {
    const token = await reserve();
    const controller = new AbortController();
    await fetch(`${served.url}/graphql`, { headers: { ...STREAM, [TOKEN]: token }, signal: controller.signal });
    await ask(token, "a");
    await expect.poll(() => library.listeners()).toBe(1);
    controller.abort();
    await expect.poll(() => library.listeners()).toBe(0);
    expect((await ask(token, "b")).status).toBe(404);
  });

  test.each<[name: string, status: number, act: (token: string) => Promise<Response>]>([
    ["an unknown token for a stream", 404, () => send("GET", { headers: { ...STREAM, [TOKEN]: "nothing" } })],
    ["an unknown token for an operation", 404, () => ask("nothing", "a")],
    ["an unknown token to stop", 404, () => stop("nothing", "a")],
    ["no token to stop", 404, () => send("DELETE", { search: "?operationId=a" })],
    ["nothing to stop", 400, (token) => send("DELETE", { headers: { [TOKEN]: token } })],
    ["no operation id", 400, (token) => ask(token, undefined)],
    ["an invalid operation id", 400, (token) => ask(token, 5)],
    ["a long operation id", 400, (token) => ask(token, "x".repeat(129))],
    ["a document that is refused", 400, (token) => ask(token, "a", "{ nothing }")],
    [
      "a stream that is already open",
      409,
      async (token) => {
        await send("GET", { headers: { ...STREAM, [TOKEN]: token } });
        return send("GET", { headers: { ...STREAM, [TOKEN]: token } });
      },
    ],
    [
      "an operation id that is in use",
      409,
      async (token) => {
        await ask(token, "a");
        return ask(token, "a");
      },
    ],
    [
      "one operation too many",
      429,
      async (token) => {
        for (const id of ["a", "b", "c"]) await ask(token, id);
        return ask(token, "d");
      },
    ],
  ])("%s: %i", async (_, status, act) => {
    const response = await act(await reserve());
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: expect.any(String) as string } }] });
  });
});
