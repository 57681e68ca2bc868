import { describe, expect, test } from "vitest";
import { allow, defineApi, defineResource, deny, hasMany, silentLog } from "../../src/index.ts";
import { printOperation } from "../../src/operations.ts";
import { csv, hal, htmlPages, jsonApi, ndjson, xml } from "../../src/formats.ts";
import { z } from "zod";
import { answerText } from "../answer.ts";
import { ask, send } from "../request.ts";
import { startShop } from "./shop.ts";

const formats = [csv, hal, htmlPages, jsonApi, ndjson, xml];
const BY_GENRE = "rel[books][aggregate]=count,max.price&rel[books][group]=genre";

async function get(path: string): Promise<unknown> {
  const { status, body } = await send(startShop(), "GET", path);
  expect([status, body]).toEqual([200, body]);
  return body;
}

/** The first issue of a rejected request, with its status. */
async function refusal(path: string): Promise<unknown> {
  const { status, body } = await send(startShop(), "GET", path);
  const { errors } = body as { errors?: readonly { path: unknown; code: string; message: string }[] };
  return [status, errors?.[0]?.path, errors?.[0]?.code, errors?.[0]?.message];
}

describe("groups of embedded relations", () => {
  test("are beside the fields of each row", async () => {
    expect(await get(`/authors?${BY_GENRE}`)).toEqual([
      {
        id: 1,
        name: "Author 1",
        "books@groups": [
          { group: { genre: "novel" }, count: 2, max: { price: 20 } },
          { group: { genre: "poem" }, count: 1, max: { price: null } },
          { group: { genre: null }, count: 1, max: { price: 7 } },
        ],
      },
      {
        id: 2,
        name: "Author 2",
        "books@groups": [
          { group: { genre: "essay" }, count: 1, max: { price: null } },
          { group: { genre: "poem" }, count: 1, max: { price: 0.5 } },
        ],
      },
      { id: 3, name: "Author 3", "books@groups": [] },
    ]);
  });

  test("have their own filter, condition, order and page", async () => {
    const rel =
      "rel[books][aggregate]=count&rel[books][group]=genre&rel[books][filter][price][gt]=0&rel[books][having][count][gte]=1&rel[books][sort]=-genre&rel[books][page][size]=1";
    expect(await get(`/authors/1?fields=id&${rel}`)).toEqual({
      id: 1,
      "books@groups": [{ group: { genre: null }, count: 1 }],
    });
  });

  test("have the same form in a body, and below an included relation", async () => {
    const rel = { "author.books": { aggregate: ["count"], having: { count: { gte: 1 } } } };
    const body = { fields: ["id"], include: ["author"], rel, page: { size: 1 } };
    const answer = await send(startShop(), "QUERY", "/books", { body });
    expect(answer.body).toEqual([
      { id: 1, author: { id: 1, name: "Author 1", "books@groups": [{ group: {}, count: 4 }] } },
    ]);
  });

  test("lower to the same operation as in GraphQL", async () => {
    const api = startShop();
    const seen: string[] = [];
    api.observe((operation) => seen.push(printOperation(operation)));
    const rest = await send(
      api,
      "GET",
      `/authors?fields=id&${BY_GENRE}&rel[books][sort]=-count&rel[books][page][size]=2`,
    );
    const graphql = await ask(
      api,
      "{ authors { nodes { id booksAggregate(groupBy: [GENRE], sort: [COUNT_DESC], first: 2) { nodes { group { genre } count max { price } } } } } }",
    );
    expect(seen[1]).toBe(seen[0]);
    const { nodes } = (graphql.data as { authors: { nodes: { id: string; booksAggregate: { nodes: unknown } }[] } })
      .authors;
    expect(nodes.map(({ id, booksAggregate }) => ({ id: Number(id), "books@groups": booksAggregate.nodes }))).toEqual(
      rest.body,
    );
  });

  test("lower to the same operation in local calls, whose values are decoded", async () => {
    const api = startShop();
    const seen: string[] = [];
    api.observe((operation) => seen.push(printOperation(operation)));
    await send(api, "GET", `/authors?fields=id&${BY_GENRE}&rel[books][sort]=-count&rel[books][page][size]=2`);
    const { items } = await api.local.author.list({
      select: {
        id: true,
        books: { aggregate: ["count", "max.price"], group: ["genre"], sort: ["-count"], page: { size: 2 } },
      },
    });
    expect(seen[1]).toBe(seen[0]);
    expect(items[2]).toEqual({ id: 3, books: [] });
    expect(items[1]).toEqual({
      id: 2,
      books: [
        { group: { genre: "essay" }, count: 1, max: { price: null } },
        { group: { genre: "poem" }, count: 1, max: { price: 0.5 } },
      ],
    });
    const { items: decoded } = await api.local.book.list({
      page: { size: 1 },
      select: { author: { select: { books: { aggregate: ["sum.pages", "max.soldAt"] } } } },
    });
    const [group] = decoded[0]?.author.books ?? [];
    expect([typeof group?.sum.pages, group?.max.soldAt]).toEqual(["bigint", expect.any(Date)]);
  });

  test.each<[name: string, books: object, path: readonly string[], code: string]>([
    ["a field", { aggregate: ["count"], select: { title: true } }, ["select", "books", "select"], "unknown_parameter"],
    ["no value", { aggregate: [] }, ["select", "books"], "missing"],
    ["an unknown value", { aggregate: ["max.titel"] }, ["select", "books", "aggregate"], "unknown_aggregate"],
    ["a condition without groups", { having: {} }, ["select", "books", "having"], "unknown_parameter"],
  ])("reject %s in local calls", async (_, books, path, code) => {
    const calling = startShop().local.author.list({ select: { id: true, books } });
    await expect(calling).rejects.toMatchObject({ code: "BAD_REQUEST", issues: [{ path, code }] });
  });

  test("reject fields that the caller can't read on every row, as in lists of local calls", async () => {
    const reading = startShop().local.author.list({ select: { books: { aggregate: ["max.margin"] } } });
    await expect(reading).rejects.toMatchObject({ code: expect.stringMatching(/UNAUTHENTICATED|FORBIDDEN/) });
  });

  test.each<[accept: string, part: string]>([
    ["application/x-ndjson", '{"id":1,"books@groups":[{"group":{},"count":4}]}\n'],
    ["application/hal+json", '{"id":1,"books@groups":[{"group":{},"count":4}],"_links"'],
    ["application/vnd.api+json", '"meta":{"groups":[{"group":{},"count":4}]}'],
    ["application/xml", '<member name="books@groups"><item><group></group><count>4</count></item></member>'],
    ["text/csv", 'id,books@groups\r\n1,"[{""group"":{},""count"":4}]"\r\n'],
    ["text/html", "<li><bdi>count 4</bdi></li>"],
  ])("are written as %s", async (accept, part) => {
    const path = "/authors?fields=id&rel[books][aggregate]=count&page[size]=2";
    const { status, text } = await answerText(startShop({ formats }), "GET", path, { headers: { accept } });
    expect([status, text]).toEqual([200, text]);
    expect(text).toContain(part);
  });

  test("are shown on the page of a row", async () => {
    const headers = { accept: "text/html" };
    const { text } = await answerText(startShop({ formats }), "GET", `/authors/2?${BY_GENRE}`, { headers });
    expect(text).toContain('<li><span class="tag">essay</span>, <bdi>count 1</bdi>, <bdi>max price –</bdi></li>');
  });

  test.each([
    [
      "/authors?include=books&rel[books][aggregate]=count",
      ["rel", "books"],
      "contradiction",
      "'books' can't be included and aggregated in one request. Remove it from 'include' and 'fields'.",
    ],
    [
      "/books?rel[author][aggregate]=count",
      ["rel", "author"],
      "not_a_list",
      "'author' is a single row and can't be aggregated.",
    ],
    [
      "/books?rel[author.books][aggregate]=count",
      ["rel", "author.books"],
      "not_included",
      "'author' is not included. Add include=author, or name it in 'fields'.",
    ],
    [
      "/authors?rel[book][aggregate]=count",
      ["rel", "book"],
      "unknown_relation",
      "'author' has no relation 'book'. Did you mean 'books'? Available: books.",
    ],
    [
      "/authors?rel[books][aggregate]=count&rel[books][count]=true",
      ["rel", "books", "count"],
      "unknown_parameter",
      "Unknown parameter 'count'. Available: aggregate, group, having, filter, sort, page.",
    ],
    [
      "/authors?rel[books][having][count][gte]=1",
      ["rel", "books", "aggregate"],
      "missing",
      "'having' requires 'aggregate' or 'group': aggregate=count&group=genre.",
    ],
    [
      "/authors?rel[books][aggregate]=sum.prices",
      ["rel", "books", "aggregate"],
      "unknown_aggregate",
      "'book' has no aggregate 'sum.prices'. Did you mean 'sum.price'?",
    ],
  ])("rejects %s", async (path, at, code, message) => {
    expect(await refusal(path)).toEqual([400, at, code, message]);
  });

  test("use neither fields nor rows that the caller can't read (A14)", async () => {
    const path = "/authors/1?fields=id&rel[books][aggregate]=max.margin";
    expect((await refusal(path)) as unknown[]).toEqual([403, ["aggregate"], "not_readable", expect.any(String)]);
    const owner = defineResource("owner", {
      fields: { id: z.int32() },
      relations: { things: hasMany("thing", "ownerId") },
      access: { read: allow, create: allow, update: deny, delete: deny },
    });
    const thing = defineResource("thing", {
      fields: { id: z.int32(), ownerId: z.int32() },
      access: { read: () => false, create: allow, update: deny, delete: deny },
    });
    const hidden = defineApi({ resources: [owner, thing], log: silentLog });
    await send(hidden, "POST", "/owners", { body: { id: 1 } });
    expect((await send(hidden, "GET", "/owners/1?rel[things][aggregate]=count")).status).toBe(403);
  });
});
