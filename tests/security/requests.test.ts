import { fetchHandler } from "@bifocal/fetch";
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLibrary } from "./access/library.ts";
import { ADAPTERS, type Served } from "./access/doors.ts";

let served: Served;
beforeAll(async () => {
  const { api } = createLibrary();
  served = await (ADAPTERS["node-http"] as (given: typeof api) => Promise<Served>)(api);
});
afterAll(() => served.close());

interface Sent {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The chunks are sent one after another, without a Content-Length if there are several. */
  readonly chunks?: readonly (string | Uint8Array)[];
}

/** The status of a request that is sent byte by byte, unchanged. */
async function post({ path = "/graphql", headers = {}, chunks = [] }: Sent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const length = chunks.length === 1 ? { "content-length": Buffer.byteLength(chunks[0] as string) } : {};
    const all = { authorization: "Bearer alice", "content-type": "application/json", ...length, ...headers };
    const sent = request(`${served.url}${path}`, { method: "POST", headers: all }, (response) => {
      resolve(response.statusCode);
      response.destroy();
    });
    sent.on("error", reject);
    for (const chunk of chunks) sent.write(chunk);
    sent.end();
  });
}

test("limits a small body that arrives together with its head", async () => {
  const { api } = createLibrary({ http: { bodyBytes: 100 } });
  const small = await (ADAPTERS["node-http"] as (given: typeof api) => Promise<Served>)(api);
  const statuses = [];
  for (const size of [100, 101]) {
    const headers = { authorization: "Bearer alice", "content-type": "application/json" };
    const sent = await fetch(`${small.url}/graphql`, { method: "POST", headers, body: body.padEnd(size) });
    statuses.push(sent.status);
  }
  await small.close();
  expect(statuses).toEqual([200, 413]);
});

test.each<[what: string, head: Readonly<Record<string, string>>, sent: string]>([
  ["whose Content-Length is above the limit", { "content-length": "1000000000" }, "{"],
  ["that exceeds the limit in pieces", {}, " ".repeat(300_000)],
])("rejects a body %s without waiting for its end", async (_what, head, sent) => {
  const headers = { authorization: "Bearer alice", "content-type": "application/json", ...head };
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const open = request(`${served.url}/graphql`, { method: "POST", headers }, (response) => {
      resolve(response.statusCode);
      open.destroy();
    });
    open.on("error", reject);
    open.write(sent);
  });
  expect(status).toBe(413);
});

const query = "{ racks { nodes { id } } }";
const body = JSON.stringify({ query });
const thing = '"id":"t9","label":"x","note":"n","ownerId":"alice","rackId":"r1"';
/** Bytes of a GraphQL request. */
const MAX_BODY_BYTES = 262_144;

test.each<[what: string, sent: Sent, status: number]>([
  ["a body of the maximum size", { chunks: [body.padEnd(MAX_BODY_BYTES)] }, 200],
  ["one byte more, with Content-Length", { chunks: [body.padEnd(MAX_BODY_BYTES + 1)] }, 413],
  ["a body of that size in pieces", { chunks: [body, " ".repeat(MAX_BODY_BYTES - body.length)] }, 200],
  ["one byte more, in pieces", { chunks: [body, " ".repeat(MAX_BODY_BYTES - body.length), " "] }, 413],
  ["a compressed body", { headers: { "content-encoding": "gzip" }, chunks: [gzipSync(body)] }, 415],
  ["an identity-encoded body", { headers: { "content-encoding": "identity" }, chunks: [body] }, 200],
  ["the same in capitals", { headers: { "content-encoding": "Identity" }, chunks: [body] }, 200],
  ["an empty encoding", { headers: { "content-encoding": "" }, chunks: [body] }, 200],
  ["UTF-8 with spaces", { headers: { "content-type": "application/json; charset = utf-8" }, chunks: [body] }, 200],
  ["UTF-16 with spaces", { headers: { "content-type": "application/json; charset = utf-16" }, chunks: [body] }, 415],
  ["a name twice in one object", { path: "/things", chunks: [`{${thing},"label":"y"}`] }, 400],
  ["the same in GraphQL", { chunks: [`{"query":"{ a }","query":${JSON.stringify(query)}}`] }, 400],
  ["each once", { path: "/things", chunks: [`{${thing}}`] }, 201],
  ["a credential in the URL", { path: "/graphql?access_token=alice", chunks: [body] }, 400],
  ["a credential in the URL by its header's name", { path: "/graphql?X-API-Key=alice", chunks: [body] }, 400],
])("%s", async (_what, sent, status) => {
  expect(await post(sent)).toBe(status);
});

test("fetchHandler reads the same content codings", async () => {
  const handle = fetchHandler(createLibrary().api);
  const statuses: number[] = [];
  for (const encoding of ["Identity", "", "gzip"]) {
    const headers = { "content-type": "application/json", "content-encoding": encoding };
    const sent = await handle(new Request("http://localhost/graphql", { method: "POST", headers, body }));
    statuses.push(sent.status);
  }
  expect(statuses).toEqual([200, 200, 415]);
});
