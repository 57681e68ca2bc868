import { allow, defineApi, defineResource } from "@bifocal/core";
import { rateLimit } from "@bifocal/core/rate-limit";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { type Running, SERVERS } from "./servers.ts";

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

const POINTS = 10;
const here = { "x-forwarded-for": "10.0.0.1" };
const there = { "x-forwarded-for": "10.0.0.2" };

let running: Running | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

type Headers = Readonly<Record<string, string>>;
/** Sends one malformed request and returns the code of its error. */
type Door = (port: number, headers: Headers) => Promise<string | undefined>;

const codeIn = (text: string): string | undefined => /"code":"(\w+)"/.exec(text)?.[1];
const ask = async (
  port: number,
  path: string,
  headers: Headers,
  init: RequestInit = {},
): Promise<string | undefined> => {
  const own = init.headers as Headers | undefined;
  const response = await fetch(`http://127.0.0.1:${port}/api${path}`, { ...init, headers: { ...headers, ...own } });
  return codeIn(await response.text());
};
const JSON_TYPE = { "content-type": "application/json" };
const post =
  (path: string, body: string, more: Headers = {}): Door =>
  (port, headers) =>
    ask(port, path, headers, { method: "POST", headers: { ...JSON_TYPE, ...more }, body });
const graphql = (query: string, more: object = {}, headers: Headers = {}): Door =>
  post("/graphql", JSON.stringify({ query, ...more }), headers);

const DOORS: Readonly<Record<string, Door>> = {
  "REST, an unknown parameter": (port, headers) => ask(port, "/notes?nothing=1", headers),
  "REST, a body that is not JSON": post("/notes", "{"),
  "REST, a body beyond its limit": post("/notes", JSON.stringify({ id: 1, text: "x".repeat(2_000) })),
  "REST, a page that costs too much": (port, headers) => ask(port, "/notes?page[size]=60", headers),
  "GraphQL, a syntax error": graphql("{"),
  "GraphQL, an unknown field": graphql("{ nothing }"),
  "GraphQL, too many aliases": graphql(`{ ${Array.from({ length: 31 }, (_, n) => `a${n}: __typename`).join(" ")} }`),
  "GraphQL, a page that costs too much": graphql("{ notes(first: 60) { nodes { id } } }"),
  "GraphQL, an unknown operation": graphql("{ __typename }", { operationName: "Nothing" }),
  "GraphQL, a wrong variable": graphql("query ($id: Int!) { a: __typename @skip(if: false) note(id: $id) { id } }"),
  "GraphQL, a body that is not JSON": post("/graphql", "{"),
  "GraphQL by GET": (port, headers) => ask(port, "/graphql?query={nothing}", headers),
  "GraphQL as an event stream": graphql("{ nothing }", {}, { accept: "text/event-stream" }),
};

async function start(server: (typeof SERVERS)[string]): Promise<number> {
  const api = defineApi({
    resources: [note],
    rateLimit: rateLimit({ anonymousPoints: POINTS }),
    trustedProxies: ["127.0.0.1"],
    limits: { http: { bodyBytes: 1_000 }, query: { cost: 50 } },
    graphql: { batching: true },
  });
  running = await server(api);
  return running.port;
}

const read = async (port: number, headers: Headers): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${port}/api/notes?page[size]=1`, { headers });
  await response.body?.cancel();
  return response.status;
};

describe.each(Object.entries(SERVERS))("on %s, a malformed request costs its address a point", (_, server) => {
  test.each(Object.entries(DOORS))("%s", async (_name, door) => {
    const port = await start(server);
    const codes: (string | undefined)[] = [];
    for (let n = 0; n < POINTS; n++) codes.push(await door(port, here));
    expect(new Set(codes).size).toBe(1);
    expect(codes[0]).toMatch(/BAD_REQUEST|PAYLOAD_TOO_LARGE/);
    expect(await read(port, here)).toBe(429);
    // The request after the last point still gets its parse error. Later ones are not parsed.
    await door(port, here);
    expect(await door(port, here)).toBe("RATE_LIMITED");
    expect(await door(port, there)).toBe(codes[0]);
    expect(await read(port, there)).toBe(200);
  });

  test("GraphQL, each document of a batch", async () => {
    const port = await start(server);
    const batch = JSON.stringify(Array.from({ length: 5 }, () => ({ query: "{ nothing }" })));
    for (let n = 0; n < 2; n++) await post("/graphql", batch)(port, here);
    expect(await read(port, here)).toBe(429);
  });

  test("GraphQL over WebSocket, where opening also costs a point", async () => {
    const port = await start(server);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/graphql`, "graphql-transport-ws", { headers: here });
    const say = async (message: object): Promise<string> => {
      socket.send(JSON.stringify(message));
      const [data] = (await once(socket, "message")) as [Buffer];
      return data.toString();
    };
    await once(socket, "open");
    await say({ type: "connection_init" });
    const codes: (string | undefined)[] = [];
    for (let n = 0; n <= POINTS; n++) {
      codes.push(codeIn(await say({ id: `${n}`, type: "subscribe", payload: { query: "{ nothing }" } })));
    }
    expect(codes).toEqual([...Array.from({ length: POINTS }, () => "BAD_REQUEST"), "RATE_LIMITED"]);
    expect([await read(port, here), await read(port, there)]).toEqual([429, 200]);
    socket.terminate();
  });

  test("sends the remaining points with the response", async () => {
    const port = await start(server);
    const response = await fetch(`http://127.0.0.1:${port}/api/notes?nothing=1`, { headers: here });
    expect([response.status, response.headers.get("ratelimit")]).toEqual([400, `"address";r=${POINTS - 1};t=60`]);
  });

  test("charges nothing for an unknown persisted document", async () => {
    const port = await start(server);
    const extensions = { persistedQuery: { version: 1, sha256Hash: "a".repeat(64) } };
    for (let n = 0; n < 2 * POINTS; n++) await post("/graphql", JSON.stringify({ extensions }))(port, here);
    expect(await read(port, here)).toBe(200);
  });
});
