import { memoryStore } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { servers } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Served } from "../auth/serve.ts";
import { createLibrary, type Library, serve } from "./library.ts";

const STORES = [
  { name: "memory", missing: undefined, open: async () => ({ store: memoryStore(), drop: async () => {} }) },
  ...servers.map(({ name, missing, create }) => ({
    name,
    missing,
    open: async () => {
      const database = await create();
      return { store: sqlStore({ url: database.url, autoCreate: true, max: 4 }), drop: database.drop };
    },
  })),
];

/** JSON as text, as clients can write it. */
type Text = string | Uint8Array<ArrayBuffer>;

describe.each(STORES)("on $name", ({ missing, open }) => {
  let served: Served;
  let api: Library;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    if (missing !== undefined) return;
    const opened = await open();
    drop = opened.drop;
    // The size of values in a GraphQL body is also checked, before the body itself is too large.
    api = createLibrary({ store: opened.store, limits: { graphql: { bodyBytes: 1_048_576 } } });
    served = await serve(api);
    await api.ready;
    await api.local.author.create({ id: 1, name: "Jane Austen" });
  }, 60_000);
  afterAll(async () => {
    if (missing !== undefined) return;
    await served.close();
    await drop();
  });

  const post = async (path: string, body: Text, type = "application/json"): Promise<Response> =>
    fetch(served.url + path, { method: "POST", headers: { "content-type": type }, body });
  /** The status, or for GraphQL the code of the first error. */
  const create = async (body: Text, type?: string): Promise<number> => (await post("/authors", body, type)).status;
  const ask = async (body: Text): Promise<string | undefined> => {
    const answered = (await (await post("/graphql", body)).json()) as {
      errors?: { extensions?: { code?: string } }[];
    };
    return answered.errors?.[0]?.extensions?.code;
  };
  const mutation = (input: string): string =>
    `{"query":"mutation ($input: CreateAuthorInput!) { createAuthor(input: $input) { id } }","variables":{"input":${input}}}`;
  const alive = async (): Promise<void> => {
    expect((await fetch(`${served.url}/authors/1`)).status).toBe(200);
    const { items } = await api.local.author.list({ page: { size: 100 } });
    for (const { id } of items.slice(1)) await api.local.author.delete(id);
    expect(items).toMatchObject([{ id: 1 }]);
  };

  test.skipIf(missing !== undefined).each<[id: string, what: string, text: string, rest: number, graphql: string]>([
    ["C04", "a NUL", String.raw`{"id":2,"name":"a\u0000b"}`, 422, "VALIDATION_FAILED"],
    ["C12", "half a surrogate pair", String.raw`{"id":2,"name":"\ud800"}`, 422, "VALIDATION_FAILED"],
    ["C08", "a number beyond the range of the type", '{"id":9007199254740993,"name":"x"}', 422, "VALIDATION_FAILED"],
    ["C08", "a number beyond the range of doubles", '{"id":1e999,"name":"x"}', 422, "BAD_REQUEST"],
    ["C08", "a number that is invalid in JSON", '{"id":0x10,"name":"x"}', 400, "BAD_REQUEST"],
    ["C08", "NaN", '{"id":NaN,"name":"x"}', 400, "BAD_REQUEST"],
    ["C08", "a number with a fraction", '{"id":2.5,"name":"x"}', 422, "BAD_REQUEST"],
    ["C08", "a number as text", '{"id":" 12 ","name":"x"}', 422, "VALIDATION_FAILED"],
    ["C09", "one name twice", '{"id":2,"name":"a","name":"b"}', 400, "BAD_REQUEST"],
    ["C09", "one name twice, one with an escape", String.raw`{"id":2,"name":"a","n\u0061me":"b"}`, 400, "BAD_REQUEST"],
    ["C07", "a million lists", `{"id":2,"name":${"[".repeat(400_000)}${"]".repeat(400_000)}}`, 400, "BAD_REQUEST"],
    ["C07", "objects without an end", `{"id":2,"name":${'{"a":'.repeat(150_000)}`, 400, "BAD_REQUEST"],
  ])("%s: %s", async (_id, _what, text, rest, graphql) => {
    expect(await create(text)).toBe(rest);
    expect(await ask(mutation(text))).toBe(graphql);
    await alive();
  });

  test.skipIf(missing !== undefined).each<[id: string, what: string, path: string, status: number]>([
    ["C04", "a NUL in a filter", "/authors?filter[name]=a%00b", 400],
    ["C04", "a NUL in a pattern", "/authors?filter[name][contains]=%00", 400],
    ["C04", "a NUL in a list", "/authors?filter[name][in]=a&filter[name][in]=%00", 400],
    ["C04", "a NUL in an id", "/authors/%00", 404],
    ["C04", "a quotation", "/authors?filter[name]=' OR 1=1--", 200],
    ["C04", "a dollar quotation", "/authors?filter[name]=$$\\';", 200],
    ["C08", "NaN in a query", "/authors?filter[id]=NaN", 400],
    ["C08", "hexadecimal in a query", "/authors?filter[id]=0x10", 400],
    ["C08", "white space in a query", "/authors?filter[id]=%2012%20", 400],
    ["C12", "invalid UTF-8", "/authors?filter[name]=%ff", 400],
    ["C12", "a surrogate in UTF-8", "/authors?filter[name]=%ed%a0%80", 400],
  ])("%s: %s", async (_id, _what, path, status) => {
    const response = await fetch(served.url + path);
    expect(response.status).toBe(status);
    const body: unknown = await response.json();
    expect(status === 200 ? body : []).toEqual([]);
    await alive();
  });

  test.skipIf(missing !== undefined).each<[name: string, filter: string]>([
    ["a NUL", String.raw`{"name":{"eq":"\u0000"}}`],
    ["half a surrogate pair", String.raw`{"name":{"eq":"\ud800"}}`],
  ])("C04, C12: %s in a filter of GraphQL", async (_, filter) => {
    const query = "query ($filter: AuthorFilter) { authors(filter: $filter) { nodes { id } } }";
    expect(await ask(`{"query":"${query}","variables":{"filter":${filter}}}`)).toBe("BAD_REQUEST");
    await alive();
  });

  test.skipIf(missing !== undefined)("C12: other encodings", async () => {
    const text = '{"id":2,"name":"x"}';
    const utf16 = new Uint8Array(Buffer.from(text, "utf16le"));
    expect(await create(utf16)).toBe(400);
    expect(await create(utf16, "application/json; charset=utf-16")).toBe(415);
    expect(await create(text, "application/json; charset=utf-7")).toBe(415);
    const overlong = new Uint8Array(
      Buffer.concat([Buffer.from('{"id":2,"name":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
    );
    expect(await create(overlong)).toBe(400);
    await alive();
  });
});
