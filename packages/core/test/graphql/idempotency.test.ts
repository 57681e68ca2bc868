import {
  allow,
  apiKeys,
  defineApi,
  defineResource,
  manyToMany,
  memoryIdempotency,
  memoryStore,
  sequence,
  silentLog,
} from "@bifocal/core";
import { graphql } from "graphql";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { ask, send } from "../request.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };
const ANN = { authorization: "Bearer ann" };

function shop() {
  const calls: string[] = [];
  const book = defineResource("book", {
    fields: { id: z.int32(), title: z.string().min(1) },
    generated: { id: sequence() },
    relations: { tags: manyToMany("tag") },
    access: open,
    bulk: { create: 5, update: 5, delete: 5 },
    filterable: ["title"],
    hooks: {
      create: { after: () => void calls.push("create") },
      update: { after: () => void calls.push("update") },
      delete: { after: () => void calls.push("delete") },
      link: { after: () => void calls.push("link") },
    },
    actions: {
      count: {
        on: "collection",
        output: z.int32(),
        access: allow,
        run: () => {
          calls.push("count");
          return calls.length;
        },
      },
    },
  });
  const tag = defineResource("tag", { fields: { id: z.int32() }, access: open });
  const idempotency = { store: memoryIdempotency() };
  const api = defineApi({
    resources: [book, tag],
    store: memoryStore({ data: { book: [{ id: 1, title: "A" }], tag: [{ id: 1 }] } }),
    auth: apiKeys({ ann: { id: "ann" }, bob: { id: "bob" } }),
    idempotency,
    graphql: {
      extend: {
        typeDefs: "extend type Mutation { ping: String }",
        resolvers: { Mutation: { ping: () => "pong" } },
      },
    },
    log: silentLog,
    warnings: false,
  });
  return { api, calls };
}

let { api, calls } = shop();
beforeEach(() => ({ api, calls } = shop()));

const replayed = (...keys: readonly string[]): object => ({ extensions: { replayed: keys } });

describe("the argument idempotencyKey", () => {
  test.each<[what: string, field: string, effect: string]>([
    ["create", 'createBook(input: { title: "B" }, idempotencyKey: "k") { id title }', "create"],
    ["update", 'updateBook(id: 1, input: { title: "B" }, idempotencyKey: "k") { title }', "update"],
    ["replacement", 'replaceBook(id: 1, input: { title: "B" }, idempotencyKey: "k") { title }', "update"],
    ["delete", 'deleteBook(id: 1, idempotencyKey: "k") { deleted id }', "delete"],
    ["link", 'linkBookTag(id: 1, tagId: 1, idempotencyKey: "k") { id }', "link"],
    ["action", 'countBooks(idempotencyKey: "k")', "count"],
    ["bulk create", 'createBooks(input: [{ title: "B" }], idempotencyKey: "k") { id }', "create"],
    [
      "bulk update",
      'updateBooks(filter: { title: { eq: "A" } }, input: { title: "B" }, idempotencyKey: "k") { count }',
      "update",
    ],
    ["bulk delete", 'deleteBooks(filter: { title: { eq: "A" } }, idempotencyKey: "k") { count ids }', "delete"],
  ])("does a %s once", async (_what, field, effect) => {
    const first = await ask(api, `mutation { ${field} }`);
    expect(first.errors).toBeUndefined();
    expect(first).not.toHaveProperty("extensions");
    const second = await ask(api, `mutation { ${field} }`);
    expect(second).toEqual({ ...first, ...replayed("k") });
    expect(calls).toEqual([effect]);
  });

  test("serves each field of a document", async () => {
    const document = `mutation ($key: String) {
      a: createBook(input: { title: "B" }, idempotencyKey: "a") { id }
      b: createBook(input: { title: "B" }, idempotencyKey: $key) { id }
      c: createBook(input: { title: "B" }) { id }
    }`;
    const first = await ask(api, document, { body: { key: "b" } });
    expect(await ask(api, document, { body: { key: "b" } })).toEqual({
      data: { ...first.data, c: { id: "5" } },
      ...replayed("a", "b"),
    });
    expect(await ask(api, document, { body: { key: "other" } })).toMatchObject(replayed("a"));
    expect(calls).toHaveLength(6);
  });

  test("rejects other arguments, but not another selection or alias", async () => {
    await ask(api, 'mutation { createBook(input: { title: "B" }, idempotencyKey: "k") { id } }');
    const other = await ask(api, 'mutation { createBook(input: { title: "C" }, idempotencyKey: "k") { id } }');
    expect(other).toMatchObject({
      errors: [
        {
          message: expect.stringContaining("a different request") as string,
          extensions: { code: "VALIDATION_FAILED" },
        },
      ],
    });
    const action = await ask(api, 'mutation { countBooks(idempotencyKey: "k") }');
    expect(action.errors?.[0]?.extensions?.["code"]).toBe("VALIDATION_FAILED");
    expect(await ask(api, 'mutation { b: createBook(idempotencyKey: "k", input: { title: "B" }) { title } }')).toEqual({
      data: { b: { title: "B" } },
      ...replayed("k"),
    });
  });

  test("forgets a failed write", async () => {
    const create = (title: string): string =>
      `mutation { createBook(input: { title: "${title}" }, idempotencyKey: "k") { title } }`;
    expect((await ask(api, create(""))).errors?.[0]?.extensions?.["code"]).toBe("VALIDATION_FAILED");
    expect(await ask(api, create("B"))).toEqual({ data: { createBook: { title: "B" } } });
  });

  test("keeps the keys of callers apart", async () => {
    const document = 'mutation { createBook(input: { title: "B" }, idempotencyKey: "k") { id } }';
    await ask(api, document, { headers: ANN });
    expect(await ask(api, document, { headers: { authorization: "Bearer bob" } })).not.toHaveProperty("extensions");
    expect(await ask(api, document, { headers: ANN })).toMatchObject(replayed("k"));
    expect(calls).toHaveLength(2);
  });

  test.each(["", "é", "x".repeat(256)])("rejects the key '%s'", async (key) => {
    const document = "mutation ($key: String) { countBooks(idempotencyKey: $key) }";
    expect(await ask(api, document, { body: { key } })).toMatchObject({
      errors: [{ extensions: { code: "BAD_REQUEST", errors: [{ path: ["idempotencyKey"] }] } }],
    });
    expect(calls).toEqual([]);
  });

  test("has no effect if it is null", async () => {
    for (let time = 0; time < 2; time++) await ask(api, "mutation { countBooks(idempotencyKey: null) }");
    expect(calls).toEqual(["count", "count"]);
  });

  test("works in other GraphQL servers", async () => {
    const source = 'mutation { createBook(input: { title: "B" }, idempotencyKey: "k") { id } }';
    for (let time = 0; time < 2; time++) {
      const result = await graphql({ schema: api.graphql.schema, source, contextValue: api.graphql.context(null) });
      expect(result.errors).toBeUndefined();
    }
    expect(calls).toEqual(["create"]);
  });
});

describe("the header Idempotency-Key", () => {
  const headers = { "idempotency-key": '"k"' };

  test("belongs to the only mutation field", async () => {
    const document = 'mutation { createBook(input: { title: "B" }) { id } }';
    const first = await ask(api, document, { headers });
    expect(await ask(api, document, { headers })).toEqual({ ...first, ...replayed("k") });
    expect(calls).toEqual(["create"]);
    // The argument is the same key.
    const keyed = 'mutation { createBook(input: { title: "B" }, idempotencyKey: "k") { id } }';
    expect(await ask(api, keyed)).toEqual({ ...first, ...replayed("k") });
  });

  test.each([
    ["several fields", "mutation { a: countBooks b: countBooks }"],
    ["a fragment", "mutation { ...on Mutation { countBooks } }"],
    ["a field of the host", "mutation { ping }"],
  ])("is rejected for %s", async (_what, document) => {
    const { errors, data } = await ask(api, document, { headers });
    expect(errors?.[0]?.extensions?.["code"]).toBe("BAD_REQUEST");
    expect(data).toBeUndefined();
    expect(calls).toEqual([]);
  });

  test("is ignored for queries, and rejected if it is malformed", async () => {
    expect(await ask(api, "{ books { totalCount } }", { headers })).toMatchObject({
      data: { books: { totalCount: 1 } },
    });
    const wrong = await send(api, "POST", "/graphql", {
      headers: { "idempotency-key": "" },
      body: { query: "{ __typename }" },
    });
    expect(wrong.status).toBe(400);
  });
});

test("REST and GraphQL share the keys of a caller, but not the writes", async () => {
  const headers = { "idempotency-key": "k" };
  const body = { title: "B" };
  expect((await send(api, "POST", "/books", { headers, body })).status).toBe(201);
  const document = 'mutation { createBook(input: { title: "B" }, idempotencyKey: "k") { id } }';
  expect((await ask(api, document)).errors?.[0]?.extensions?.["code"]).toBe("VALIDATION_FAILED");
  await ask(api, document.replace('"k"', '"g"'));
  const rest = await send(api, "POST", "/books", { headers: { "idempotency-key": "g" }, body });
  expect(rest.status).toBe(422);
  expect(calls).toEqual(["create", "create"]);
});

test("a retry while the first request runs is a conflict", async () => {
  const document = 'mutation { createBook(input: { title: "B" }, idempotencyKey: "k") { id } }';
  const answers = await Promise.all([ask(api, document), ask(api, document)]);
  const codes = answers.map(({ errors }) => errors?.[0]?.extensions?.["code"] ?? "done");
  expect(codes.filter((code) => code === "CONFLICT")).toHaveLength(1);
  expect(calls).toEqual(["create"]);
});
