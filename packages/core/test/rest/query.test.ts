import fc from "fast-check";
import linkHeader from "http-link-header";
import { expect, test } from "vitest";
import { printOperation, type Operation } from "../../src/operations.ts";
import { answerText } from "../answer.ts";
import { send } from "../request.ts";
import { createLibrary } from "./library.ts";

test("returns the same as GET, and the URL for GET", async () => {
  const api = createLibrary();
  const body = {
    filter: { price: { gte: 5 } },
    sort: ["-price"],
    fields: ["id", "title"],
    count: true,
    page: { size: 1 },
  };
  const answer = await send(api, "QUERY", "/books", { body });
  expect(answer).toMatchObject({
    status: 200,
    body: [{ id: 1, title: "Emma" }],
    headers: { "Total-Count": "2", ETag: expect.any(String) },
  });
  const same = await send(api, "GET", answer.headers["Location"] as string);
  expect([same.body, same.headers["ETag"]]).toEqual([answer.body, answer.headers["ETag"]]);
  const modified = await send(api, "QUERY", "/books", {
    body,
    headers: { "if-none-match": answer.headers["ETag"] as string },
  });
  expect(modified.status).toBe(304);
});

test("follows its links with the same body", async () => {
  const api = createLibrary();
  const body = {
    sort: ["price"],
    fields: ["id"],
    page: { size: 1 },
    filter: { or: [{ price: { lt: 100 } }, { id: { in: [1, 2] } }] },
  };
  const ids: unknown[] = [];
  let url = "/books";
  for (let pages = 0; pages < 5; pages++) {
    const answer = await send(api, "QUERY", url, { body });
    ids.push(...(answer.body as { id: number }[]).map(({ id }) => id));
    const [next] = linkHeader.parse(answer.headers["Link"] as string).rel("next");
    if (next === undefined) break;
    url = next.uri;
  }
  expect(ids).toEqual([3, 2, 1]);
});

test.each([{ offset: 2 }, { after: "" }])(
  "links to the first page, whatever page the body requests: %j",
  async (place) => {
    const api = createLibrary();
    const start = await send(api, "QUERY", "/books", { body: { sort: ["price"], page: { size: 1 } } });
    const [next] = linkHeader.parse(start.headers["Link"] as string).rel("next");
    const cursor = new URLSearchParams(next?.uri.split("?")[1]).get("page[after]");
    const page = { size: 1, ...place, ...("after" in place ? { after: cursor } : {}) };
    const body = { sort: ["price"], fields: ["id"], page };
    const answer = await send(api, "QUERY", "/books", { body });
    expect(answer.body).not.toEqual([{ id: 3 }]);
    const [first] = linkHeader.parse(answer.headers["Link"] as string).rel("first");
    expect((await send(api, "QUERY", first?.uri as string, { body })).body).toEqual([{ id: 3 }]);
  },
);

test("keeps the links of a list separate from those of a query for the same rows", async () => {
  const api = createLibrary();
  const nextOf = (answer: { headers: Readonly<Record<string, string>> }) =>
    linkHeader.parse(answer.headers["Link"] as string).rel("next")[0]?.uri as string;
  const query = (url: string, sort: string) =>
    send(api, "QUERY", url, { body: { filter: { id: { ne: 3 } }, sort: [sort], page: { size: 1 } } });
  await query("/books", "id");
  await query("/books", "-price");
  const byId = await query("/books", "id");
  expect((await query(nextOf(byId), "id")).body).toMatchObject([{ id: 2 }]);
  await send(api, "QUERY", "/books?page[size]=1", { body: { sort: ["id"], filter: { id: { ne: 3 } } } });
  const plain = await send(api, "GET", "/books?page[size]=1");
  expect((await send(api, "GET", nextOf(plain))).body).toMatchObject([{ id: 2 }]);
});

test.each<[string, Parameters<typeof send>[3], number, object]>([
  ["no body", {}, 415, { code: "UNSUPPORTED_MEDIA_TYPE" }],
  ["another type", { text: "a=b", headers: { "content-type": "text/plain" } }, 415, {}],
  ["a list", { body: [] }, 400, {}],
  [
    "an unknown member",
    { body: { filters: {} } },
    400,
    { errors: [{ path: ["filters"], message: expect.stringContaining("'filter'") }] },
  ],
  ["an unknown field", { body: { filter: { nope: 1 } } }, 400, { errors: [{ path: ["filter", "nope"] }] }],
  [
    "text for a number",
    { body: { filter: { price: { gte: "5" } } } },
    400,
    { errors: [{ path: ["filter", "price", "gte"] }] },
  ],
  ["an invalid sort", { body: { sort: [1] } }, 400, {}],
  ["invalid fields", { body: { fields: [1] } }, 400, {}],
  ["an invalid page", { body: { page: 3 } }, 400, {}],
])("rejects %s", async (_what, parts, status, problem) => {
  const answer = await send(createLibrary(), "QUERY", "/books", parts);
  expect(answer).toMatchObject({ status, body: problem });
  expect(answer.headers["Accept-Query"]).toBe(status === 415 ? "application/json" : undefined);
});

test("sends no Location for a body that no URL can express", async () => {
  const answer = await send(createLibrary(), "QUERY", "/books", { body: { filter: { id: { in: [] } } } });
  expect([answer.status, answer.body, answer.headers["Location"]]).toEqual([200, [], undefined]);
});

test("lists QUERY in OPTIONS", async () => {
  const { headers } = await send(createLibrary(), "OPTIONS", "/books");
  expect(headers).toMatchObject({ Allow: expect.stringContaining("QUERY"), "Accept-Query": "application/json" });
});

test("supports other formats, and complete lists", async () => {
  const parts = { body: { filter: { price: { gte: 5 } }, fields: ["id"] }, headers: { accept: "text/csv" } };
  const { text } = await answerText(createLibrary(), "QUERY", "/books", parts);
  expect(text).toBe("id\r\n1\r\n2\r\n");
});

test("lowers a query in a body and its URL to the same operation", async () => {
  const api = createLibrary();
  const operations: Operation[] = [];
  api.observe((operation) => operations.push(operation));
  const price = fc.record({ gte: fc.integer({ min: 0, max: 20 }) });
  const condition = fc.oneof(
    fc.record({ price }),
    fc.record({ title: fc.record({ notContains: fc.constantFrom("a", "b c", "&=", "ü", "[x]") }) }),
    fc.record({ title: fc.record({ contains: fc.constantFrom("a", "b c", "&=", "ü", "[x]") }) }),
    fc.record({ id: fc.record({ in: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }) }) }),
    fc.record({ words: fc.record({ hasSome: fc.array(fc.constantFrom("x", "y"), { minLength: 1, maxLength: 2 }) }) }),
  );
  const body = fc.record(
    {
      filter: fc.oneof(
        condition,
        fc.record({ or: fc.array(condition, { minLength: 1, maxLength: 3 }) }),
        fc.record({ not: condition }),
      ),
      sort: fc.uniqueArray(fc.constantFrom("-price", "title", "id"), {
        minLength: 1,
        selector: (term) => term.replace("-", ""),
      }),
      fields: fc.uniqueArray(fc.constantFrom("id", "title", "price"), { minLength: 1 }),
      include: fc.constant(["author"]),
      page: fc.record({ size: fc.integer({ min: 1, max: 9 }) }),
      count: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(body, async (query) => {
      operations.length = 0;
      const first = await send(api, "QUERY", "/books", { body: query });
      expect(first.status).toBe(200);
      const second = await send(api, "GET", first.headers["Location"] as string);
      expect(second.body).toEqual(first.body);
      const [one, other] = operations.map(printOperation);
      expect(other).toBe(one);
    }),
    { numRuns: 200 },
  );
});

test("sends no Location for values that no URL can express", async () => {
  const api = createLibrary();
  const query = (body: unknown) => send(api, "QUERY", "/books", { body });
  expect((await query({ filter: { title: "\ud800" } })).status).toBeLessThan(500);
  expect((await query({ filter: { ["\ud800"]: "x" } })).status).toBe(400);
  const all = await query({ filter: { or: [{}, { title: "x" }] } });
  expect([all.status, all.headers["Location"]]).toEqual([200, undefined]);
});
