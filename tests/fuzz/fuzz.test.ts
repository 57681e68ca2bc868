import { createBookstore } from "@bifocal/example-bookstore/start";
import fc from "fast-check";
import { expect, test } from "vitest";
import { request } from "@bifocal/test-servers/request";
import { KEYS } from "../bookstore/stores.ts";
import { createDescribed, type Document } from "../openapi/described.ts";

const { api } = createBookstore({ keys: KEYS });
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 2_000);

const AUTHOR = "a0000000-0000-4000-8000-000000000001";
const BOOK = "b0000000-0000-4000-8000-000000000001";

const hostile = fc.constantFrom(
  "",
  "0",
  "-1",
  "1e999",
  "NaN",
  "null",
  "true",
  "__proto__",
  "constructor",
  "%00",
  "%",
  "%ff",
  "..",
  "'",
  '"',
  "\\",
  "*",
  ",",
  "[]",
  "{}",
  "9".repeat(400),
  "a".repeat(5_000),
  "\u{1F600}",
  "2026-02-30",
  "2026-01-01T00:00:00Z",
  AUTHOR,
  BOOK,
  "novel",
  "title",
  "-price",
  "author.name",
  "author.books.author",
  "reviews",
);
const name = fc.constantFrom(
  "id",
  "title",
  "price",
  "genre",
  "authorId",
  "publishedAt",
  "cost",
  "author",
  "author.name",
  "author.books",
  "reviews",
  "tags",
  "and",
  "or",
  "not",
  "some",
  "every",
  "none",
  "eq",
  "in",
  "gte",
  "between",
  "contains",
  "notContains",
  "isNull",
  "has",
  "0",
  "1",
  "__proto__",
  "nothing",
);
const parameter = fc
  .tuple(
    fc.constantFrom("filter", "sort", "fields", "include", "rel", "page", "count", "filtr", "__proto__", ""),
    fc.array(fc.oneof(name, fc.constantFrom("size", "after", "before", "offset", "filter", "sort", "page")), {
      maxLength: 4,
    }),
    fc.oneof(hostile, fc.string({ maxLength: 10 })),
  )
  .map(([first, path, value]) => `${first}${path.map((part) => `[${part}]`).join("")}=${value}`);
const path = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "/books",
      `/books/${BOOK}`,
      "/authors",
      `/authors/${AUTHOR}/books`,
      `/books/${BOOK}/tags/classic`,
      `/books/${BOOK}/publish`,
      "/books/discount",
      "/reviews",
      "/tags",
      "/",
      "/openapi.json",
      "/-/page.css",
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.oneof(hostile, fc.constantFrom("books", "authors")), { maxLength: 5 })
      .map((parts) => `/${parts.join("/")}`),
  },
);
const value: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostile,
    fc.double(),
    fc.integer(),
    fc.constantFrom(null, true, AUTHOR, BOOK, "novel", "2026-01-01"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  ),
})).value;
const body = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(name, value, { maxKeys: 6 }).map((given) => JSON.stringify(given)) },
  { weight: 1, arbitrary: value.map((given) => JSON.stringify(given) ?? "") },
  { weight: 1, arbitrary: fc.string() },
);
const headers = fc.record(
  {
    accept: fc.oneof(
      fc.constantFrom(
        "*/*",
        "text/html",
        "application/json;q=0",
        ";;,,q",
        "text/csv",
        "application/x-ndjson",
        "application/xml",
        "application/hal+json",
        "application/vnd.api+json",
        "text/event-stream",
      ),
      fc.string(),
    ),
    "idempotency-key": fc.oneof(fc.constantFrom('"k1"', "k2", '"'), fc.string()),
    "content-type": fc.oneof(
      fc.constantFrom(
        "application/json",
        "application/merge-patch+json",
        "application/json-patch+json",
        "application/vnd.api+json",
        "application/json; charset=utf-16",
        "text/plain",
        ";",
      ),
      fc.string(),
    ),
    authorization: fc.constantFrom(
      `Bearer ${KEYS.reader}`,
      `Bearer ${KEYS.editor}`,
      `Bearer ${KEYS.admin}`,
      "Bearer",
      "Basic x",
      "",
    ),
    "x-api-key": fc.constantFrom(KEYS.admin, "", "nobody"),
    "if-match": fc.oneof(fc.constantFrom("*", '"x"', 'W/"x"', '"', ","), fc.string()),
    "if-none-match": fc.oneof(fc.constantFrom("*", '"x"', ","), fc.string()),
    prefer: fc.oneof(fc.constantFrom("return=minimal", "return", "handling=lenient"), fc.string()),
    origin: fc.constantFrom("https://x.example", "null", ""),
    "last-event-id": fc.string(),
  },
  { requiredKeys: [] },
);

/** Half of the requests come from an authenticated client with valid headers. */
const sentHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  fc.constant({ authorization: `Bearer ${KEYS.admin}`, "content-type": "application/json" }),
  headers,
);

/** Other requests have one valid credential. */
const knownHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  fc.constantFrom(KEYS.reader, KEYS.editor).map((key) => ({ authorization: `Bearer ${key}` })),
  headers,
);

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function send({ method, path: to, query, headers: given, body: text }: Sent) {
  const controller = new AbortController();
  // Neither the path nor the headers may change on their way.
  const asked = request(method, to, { text, signal: controller.signal });
  const response = await api.handle({ ...asked, path: to, query, headers: given });
  // An event stream lasts until the client ends it.
  controller.abort();
  return response;
}

/** The body of a response, except for event streams, which don't end. */
async function textOf({
  headers: given,
  body: content,
}: NonNullable<Awaited<ReturnType<typeof send>>>): Promise<string> {
  if (typeof content === "string") return content;
  if (content instanceof Uint8Array) return new TextDecoder().decode(content);
  if (content === null) return "";
  let text = "";
  for await (const piece of content) {
    text += piece;
    if (given["Content-Type"] === "text/event-stream") break;
  }
  return text;
}

const described = createDescribed(api.openapi("", "3.2", "all") as unknown as Document);
const DESCRIBED = ["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY"];

const CLIENT = { min: 200, max: 428 };

test("no hostile request causes a 500 or an incomplete response", async () => {
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        method: fc.constantFrom(
          "GET",
          "GET",
          "GET",
          "POST",
          "PUT",
          "PATCH",
          "DELETE",
          "HEAD",
          "OPTIONS",
          "QUERY",
          "get",
          "",
        ),
        path,
        query: fc.oneof(
          fc.array(parameter, { maxLength: 4 }).map((all) => all.join("&")),
          fc.string(),
        ),
        headers: sentHeaders,
        body,
      }),
      async (sent) => {
        const response = await send(sent);
        // `null`: the path is outside the API.
        if (response === null) return;
        statuses.add(response.status);
        expect(response.status).toBeGreaterThanOrEqual(CLIENT.min);
        expect(response.status).toBeLessThanOrEqual(CLIENT.max);
        for (const header of Object.values(response.headers)) expect(header).toMatch(/^[\t\x20-\x7e]*$/);
        const text = sent.method === "HEAD" ? "" : await textOf(response);
        const type = response.headers["Content-Type"];
        if (/[+/]json$/.test(type?.split(";")[0] ?? "") && text !== "") JSON.parse(text);
        const isProblem = type === "application/problem+json" && text !== "";
        const { status, code } = (isProblem ? JSON.parse(text) : {}) as Record<string, unknown>;
        expect(isProblem ? [status, typeof code] : []).toEqual(isProblem ? [response.status, "string"] : []);
        if (!DESCRIBED.includes(sent.method)) return;
        expect(
          await described({ method: sent.method, path: sent.path, status: response.status, type, text }),
        ).toBeUndefined();
      },
    ),
    { numRuns: RUNS },
  );
  // Otherwise all requests would be rejected for one reason.
  expect([...statuses].sort((a, b) => a - b)).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 422]));
});

const operation = fc.constantFrom(
  "query ($f: BookFilter, $s: [BookSort!], $n: Int, $c: String) { books(filter: $f, sort: $s, first: $n, after: $c) { totalCount nodes { title author { name email } reviews(first: $n) { nodes { stars } } } } }",
  "query ($id: ID!) { book(id: $id) { id title author { books { nodes { tags { nodes { name } } } } } } }",
  "mutation ($input: CreateBookInput!) { createBook(input: $input) { id } }",
  "mutation ($id: ID!, $input: UpdateBookInput!, $m: String) { updateBook(id: $id, input: $input, ifMatch: $m) { id price } }",
  "mutation ($id: ID!) { deleteBook(id: $id) { deleted } linkBookTag(id: $id, tagId: $id) { __typename } }",
  "{ __schema { types { name } } }",
);

const bookInput = fc.record({
  title: fc.constantFrom("", "A title", "x".repeat(301)),
  genre: fc.constant("novel"),
  price: fc.double({ min: -1, max: 10_001, noNaN: true }),
  authorId: fc.constantFrom(AUTHOR, BOOK),
});

test("no document or variables cause an internal error", async () => {
  const codes = new Set<unknown>();
  const variables = fc.record(
    {
      f: value,
      s: value,
      n: value,
      c: value,
      id: fc.oneof(hostile, value),
      input: fc.oneof(bookInput, fc.dictionary(name, value), value),
      m: value,
    },
    { requiredKeys: ["id", "input"] },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 5, arbitrary: operation }, fc.string()),
      variables,
      knownHeaders,
      async (query, given, sent) => {
        const response = await send({
          method: "POST",
          path: "/graphql",
          query: "",
          headers: { ...sent, accept: "application/json", "content-type": "application/json" },
          body: JSON.stringify({ query, variables: given }),
        });
        const answer = JSON.parse(response?.body as string) as { errors?: { extensions?: { code?: string } }[] };
        for (const { extensions } of answer.errors ?? []) {
          codes.add(extensions?.code);
          expect(extensions?.code).not.toBe("INTERNAL");
          expect(extensions?.code).toBeDefined();
        }
      },
    ),
    { numRuns: RUNS },
  );
  expect([...codes]).toEqual(
    expect.arrayContaining(["BAD_REQUEST", "UNAUTHENTICATED", "FORBIDDEN", "VALIDATION_FAILED"]),
  );
});
