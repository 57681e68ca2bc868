import { allow, defineApi, defineResource, memoryStore, silentLog } from "@bifocal/core";
import { fetchHandler } from "@bifocal/fetch";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";

afterEach(() => vi.unstubAllEnvs());

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
  filterable: ["title"],
});

function createApi(options: { readonly developerPages?: boolean; readonly introspection?: boolean } = {}) {
  return defineApi({ resources: [book], store: memoryStore(), log: silentLog, ...options });
}

const HEADERS = { "content-type": "application/json", origin: "https://shop.example" };

async function post(
  body: unknown,
  api = createApi(),
  headers: Record<string, string> = HEADERS,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const url = "http://localhost/api/-/translate";
  const request = new Request(url, { method: "POST", headers, body: JSON.stringify(body) });
  const response = await fetchHandler(api, { prefix: "/api" })(request);
  return { status: response.status, body: await response.json() };
}

test.each([
  { request: "GET /books?filter[title]=It's&fields=title" },
  { request: "GET /books?filter[title]=It's&fields=title\nAccept: application/json" },
  { url: "/books?filter[title]=It's&fields=title" },
  {
    document:
      "query One { book(id: 1) { id } } query Two($t: String) { books(filter: { title: { eq: $t } }) { nodes { title } } }",
    variables: { t: "It's" },
    operationName: "Two",
  },
])("translates %j", async (body) => {
  const url = "/books?filter[title]=It's&fields=title";
  expect(await post(body)).toEqual({
    status: 200,
    body: {
      translations: [
        {
          kind: "list",
          resource: "book",
          rest: { method: "GET", url, headers: {} },
          graphql: expect.objectContaining({ variables: { filter: { title: { eq: "It's" } } } }) as object,
          client: { code: 'client.book.list({ filter: { title: "It\'s" }, select: { title: true } })' },
          curl: { command: `curl -g 'https://shop.example/api/books?filter[title]=It'\\''s&fields=title'` },
          cost: expect.any(Number) as number,
          maxCost: 5_000,
        },
      ],
    },
  });
});

test("prints the body and headers of a write for curl", async () => {
  const { body } = await post({
    method: "PATCH",
    url: "/books/1",
    headers: { "If-Match": '"a"' },
    body: { title: "It's" },
  });
  expect(body).toMatchObject({
    translations: [
      {
        curl: {
          command: `curl -X PATCH -H 'Content-Type: application/json' -H 'If-Match: "a"' -d '{"title":"It'\\''s"}' 'https://shop.example/api/books/1'`,
        },
      },
    ],
  });
});

test.each<[unknown, number, string]>([
  [{}, 400, "Expected"],
  [[], 400, "Expected"],
  [{ url: "/books", headers: { a: 1 } }, 400, "Expected"],
  [{ document: "{ books { nodes { id } } }", variables: 1 }, 400, "Expected"],
  [{ request: "GET /books", sql: "yes" }, 400, "true or false"],
  [{ request: "GET /books?filter[tilte]=1" }, 400, "tilte"],
  [{ request: "POST /-/translate {}" }, 404, "no such path"],
])("rejects %j", async (body, status, text) => {
  const response = await post(body);
  expect(response).toMatchObject({ status });
  expect(JSON.stringify(response.body)).toContain(text);
});

test("rejects content types that other origins can send without a preflight", async () => {
  expect(await post({ request: "GET /books" }, createApi(), { "content-type": "text/plain" })).toMatchObject({
    status: 415,
  });
});

test("is not served in production, or without introspection or developer pages", async () => {
  for (const api of [createApi({ introspection: false }), createApi({ developerPages: false })])
    expect(await post({ request: "GET /books" }, api)).toMatchObject({ status: 404 });
  vi.stubEnv("NODE_ENV", "production");
  expect(await post({ request: "GET /books" })).toMatchObject({ status: 404 });
});
