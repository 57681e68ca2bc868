import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { GraphqlSettings, LimitOptions } from "../../src/index.ts";
import type { PersistedSettings } from "../../src/graphql-extension.ts";
import { get, post, request, start, stream } from "./notes.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const apollo = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: sha256(text) } });

const QUERY = "query ($id: ID!) { book(id: $id) { title } }";
const OTHER = "{ authors { nodes { name } } }";
const MUTATION = "mutation { deleteBook(id: 1) { deleted } }";
const variables = { id: 1 };
const answer = { data: { book: { title: "Emma" } } };
const error = (message: string, code: string) => ({ errors: [{ message, extensions: { code } }] });
const NOT_FOUND = error("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND");
const NOT_SUPPORTED = error("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED");

const open = (persisted?: PersistedSettings, limits?: LimitOptions, more: GraphqlSettings = {}) =>
  start(persisted === undefined ? more : { ...more, persisted }, limits);

describe("automatic persisted queries", () => {
  test("are rejected by default, and clients fall back to the text", async () => {
    const { api } = open();
    expect((await post(api, { variables, extensions: apollo(QUERY) })).body).toEqual(NOT_SUPPORTED);
    // The request that clients send then. The hash is ignored.
    expect((await post(api, { query: QUERY, variables, extensions: apollo(OTHER) })).body).toEqual(answer);
  });

  test.each(["POST", "GET"])("by %s: unknown, registered, known", async (method) => {
    const { api } = open({ automatic: true });
    const ask = async (parameters: Record<string, unknown>) =>
      (await (method === "GET" ? get(api, parameters) : post(api, parameters))).body;
    const extensions = apollo(QUERY);
    expect(await ask({ variables, extensions })).toEqual(NOT_FOUND);
    expect(await ask({ query: QUERY, variables, extensions })).toEqual(answer);
    expect(await ask({ variables, extensions })).toEqual(answer);
    expect(await ask({ variables, documentId: `sha256:${sha256(QUERY)}` })).toEqual(answer);
    expect(await ask({ extensions: apollo(OTHER) })).toEqual(NOT_FOUND);
  });

  test("reports an unknown document as a result in the newer media type, with a status", async () => {
    const { api } = open({ automatic: true });
    const accept = "application/graphql-response+json";
    expect(await post(api, { extensions: apollo(QUERY) }, { accept })).toMatchObject({ status: 400, body: NOT_FOUND });
    expect(await post(api, { extensions: apollo(QUERY) })).toMatchObject({ status: 200, body: NOT_FOUND });
  });

  test("E15: rejects the hash of one document with the text of another", async () => {
    const { api, calls } = open({ automatic: true });
    const poisoned = await post(api, { query: OTHER, extensions: apollo(QUERY) });
    expect(poisoned).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { errors: [{ code: "hash_mismatch" }] } }] },
    });
    expect((await post(api, { variables, extensions: apollo(QUERY) })).body).toEqual(NOT_FOUND);
    expect(calls).toEqual([]);
  });

  test.each([
    ["a document that is not valid", "{ nothing }"],
    ["a document that is too large", `{ ${Array.from({ length: 21 }, (_, n) => `a${n}: __typename`).join(" ")} }`],
    ["no document", "{"],
  ])("E15: doesn't store %s", async (_, query) => {
    const { api } = open({ automatic: true });
    await post(api, { query, extensions: apollo(query) });
    expect((await post(api, { extensions: apollo(query) })).body).toEqual(NOT_FOUND);
  });

  test("E15: stores a limited number of documents, and keeps those in use", async () => {
    const { api } = open({ automatic: true }, { graphql: { persistedLength: 2 * (OTHER.length + 300) } });
    const texts = Array.from({ length: 20 }, (_, n) => OTHER.replace("name", `name a${n}: id`));
    await post(api, { query: OTHER, extensions: apollo(OTHER) });
    for (const query of texts) {
      expect((await post(api, { query, extensions: apollo(query) })).body).toHaveProperty("data");
      expect((await post(api, { extensions: apollo(OTHER) })).body).toHaveProperty("data");
    }
    const known = await Promise.all(texts.map(async (text) => (await post(api, { extensions: apollo(text) })).body));
    expect(known.filter((body) => "data" in (body as object))).toHaveLength(1);
  });

  test.each([
    ["another version", { version: 2, sha256Hash: sha256(QUERY) }],
    ["no version", { sha256Hash: sha256(QUERY) }],
    ["no hash", { version: 1 }],
    ["an invalid hash", { version: 1, sha256Hash: "abc" }],
    ["a hash in upper case", { version: 1, sha256Hash: sha256(QUERY).toUpperCase() }],
    ["a text", "abc"],
  ])("%s", async (_, persistedQuery) => {
    const { api } = open({ automatic: true });
    expect(await post(api, { query: QUERY, variables, extensions: { persistedQuery } })).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: "BAD_REQUEST" } }] },
    });
  });

  test("checks rights at each execution", async () => {
    const { api } = open({ automatic: true });
    const query = "{ author(id: 1) { name email } }";
    await post(api, { query, extensions: apollo(query) });
    expect((await post(api, { extensions: apollo(query) })).body).toMatchObject({
      data: { author: { name: "Jane", email: null } },
      errors: [{ path: ["author", "email"], extensions: { code: "FORBIDDEN" } }],
    });
  });
});

describe("trusted documents", () => {
  const documents = { "book-title": QUERY, [sha256(OTHER)]: OTHER, remove: MUTATION };

  test.each<[string, Record<string, unknown>]>([
    ["their id", { documentId: "book-title" }],
    ["their hash", { documentId: `sha256:${sha256(QUERY)}` }],
    ["their hash, in Apollo's format", { extensions: apollo(QUERY) }],
    ["an id and an empty text", { documentId: "book-title", query: "" }],
  ])("by %s", async (_, named) => {
    for (const only of [true, false]) {
      const { api } = open({ documents, only });
      expect((await post(api, { ...named, variables })).body).toEqual(answer);
      expect((await get(api, { ...named, variables })).body).toEqual(answer);
    }
  });

  test("accepts a hash without its prefix as an id", async () => {
    const { api } = open({ documents, only: true });
    expect((await post(api, { extensions: apollo(OTHER) })).body).toMatchObject({ data: { authors: {} } });
  });

  test("E16: rejects all other documents", async () => {
    const { api, calls } = open({ documents, only: true }, {}, { batching: true });
    const refused = { errors: [{ extensions: { code: "FORBIDDEN" } }] };
    for (const asked of [
      { query: OTHER },
      { query: QUERY, variables },
      { query: OTHER, documentId: "book-title", variables },
      { query: QUERY, extensions: apollo(QUERY), variables },
      { query: "{ __schema { types { name } } }" },
    ]) {
      expect(await post(api, asked)).toMatchObject({ status: 403, body: refused });
      expect(await get(api, asked)).toMatchObject({ status: 403, body: refused });
      expect((await post(api, [asked])).body).toMatchObject([refused]);
      const headers = { accept: "text/event-stream" };
      expect((await post(api, asked, headers)).body).toMatchObject(refused);
    }
    expect((await post(api, { documentId: "unknown" })).body).toEqual(NOT_FOUND);
    expect((await post(api, { extensions: apollo("{ __typename }") })).body).toEqual(NOT_FOUND);
    expect(calls).toEqual([]);
  });

  test("E16: apply limits to them", async () => {
    const wide = "query ($n: Int) { authors(first: $n) { nodes { books(first: $n) { nodes { id } } } } }";
    const { api, calls } = open({ documents: { wide }, only: true }, { query: { cost: 5_000 } });
    expect((await post(api, { documentId: "wide", variables: { n: 101 } })).body).toHaveProperty("errors");
    expect((await post(api, { documentId: "wide", variables: { n: 100 } })).body).toMatchObject({
      errors: [{ extensions: { errors: [{ code: "too_costly", path: ["books"] }] } }],
    });
    expect(calls).toEqual([]);
  });

  test("reject a mutation among them by GET", async () => {
    const { api } = open({ documents, only: true });
    expect((await get(api, { documentId: "remove" })).status).toBe(405);
    expect((await post(api, { documentId: "remove" })).body).toEqual({ data: { deleteBook: { deleted: true } } });
  });

  test("over server-sent events, by POST and by GET", async () => {
    const { api } = open({ documents, only: true });
    const headers = { accept: "text/event-stream" };
    const body = { documentId: "book-title", variables };
    expect(await stream(api, request("POST", "/graphql", { body, headers }))).toEqual([answer]);
    const url = `/graphql?documentId=book-title&variables=${JSON.stringify(variables)}`;
    expect(await stream(api, request("GET", url, { headers }))).toEqual([answer]);
    expect(await stream(api, request("GET", "/graphql?documentId=nothing", { headers }))).toEqual([NOT_FOUND]);
  });

  test("reject two different ids in one request", async () => {
    const { api } = open({ documents });
    const asked = { documentId: "book-title", extensions: apollo(QUERY) };
    expect(await post(api, asked)).toMatchObject({
      status: 400,
      body: { errors: [{ message: /different documents/ }] },
    });
    for (const documentId of ["", 7, "x".repeat(257), {}]) expect((await post(api, { documentId })).status).toBe(400);
  });

  test("reject a hash of another document at start", () => {
    const id = `sha256:${sha256(OTHER)}`;
    expect(() => open({ documents: { [id]: QUERY } })).toThrow(`Expected sha256:${sha256(QUERY)}.`);
  });
});
