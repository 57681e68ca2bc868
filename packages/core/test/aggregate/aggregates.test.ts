import { describe, expect, test } from "vitest";
import { asSystem, memoryStore } from "../../src/index.ts";
import { ask, request, send } from "../request.ts";
import { AUTHORS, BOOKS, startShop } from "./shop.ts";

async function get(query: string): Promise<unknown> {
  const { status, body } = await send(startShop(), "GET", `/books?${query}`);
  expect([status, body]).toEqual([200, body]);
  return body;
}

/** The first issue of a rejected request, with its status. */
async function refusal(query: string): Promise<unknown> {
  const { status, body } = await send(startShop(), "GET", `/books?${query}`);
  const { errors } = body as { errors: readonly { path: unknown; code: string; message: string }[] };
  return [status, errors[0]?.path, errors[0]?.code, errors[0]?.message];
}

describe("REST", () => {
  test("computes values of all rows that the caller can read", async () => {
    expect(await get("aggregate=count,sum.price,avg.price,min.price,max.price")).toEqual([
      { group: {}, count: 6, sum: { price: 37.5 }, avg: { price: 9.375 }, min: { price: 0.5 }, max: { price: 20 } },
    ]);
  });
  test("groups rows, with missing values in a group of their own at the end", async () => {
    expect(await get("aggregate=count,avg.price&group=genre&page[size]=5")).toEqual([
      { group: { genre: "essay" }, count: 1, avg: { price: null } },
      { group: { genre: "novel" }, count: 2, avg: { price: 15 } },
      { group: { genre: "poem" }, count: 2, avg: { price: 0.5 } },
      { group: { genre: null }, count: 1, avg: { price: 7 } },
    ]);
  });
  test("returns one group without rows, and none if rows are grouped", async () => {
    const none = "filter[title]=x";
    expect(await get(`aggregate=count,sum.price,max.title&${none}`)).toEqual([
      { group: {}, count: 0, sum: { price: null }, max: { title: null } },
    ]);
    expect(await get(`aggregate=count&group=genre&${none}`)).toEqual([]);
  });
  test("adds up integers exactly", async () => {
    expect(await get("aggregate=sum.pages,avg.pages,max.pages,sum.stars,avg.stars")).toEqual([
      {
        group: {},
        sum: { pages: "9007199254740994", stars: 21 },
        avg: { pages: 4503599627370497, stars: 3.5 },
        max: { pages: "9007199254740993" },
      },
    ]);
  });
  test("adds up decimals exactly, and averages them with more digits", async () => {
    expect(await get("aggregate=sum.cost,avg.cost,min.cost,max.cost")).toEqual([
      {
        group: {},
        sum: { cost: "10000000000000000000.29" },
        avg: { cost: "3333333333333333333.43000000" },
        min: { cost: "-0.01" },
        max: { cost: "10000000000000000000.20" },
      },
    ]);
    expect(await get("aggregate=sum.cost&group=genre&having[avg.cost][gt]=0.099")).toEqual([
      { group: { genre: "novel" }, sum: { cost: "0.10" } },
      { group: { genre: "poem" }, sum: { cost: "10000000000000000000.19" } },
    ]);
  });
  test("groups by parts of dates and datetimes in UTC", async () => {
    expect(await get("aggregate=count&group=soldAt.year")).toEqual([
      { group: { "soldAt.year": "2025" }, count: 1 },
      { group: { "soldAt.year": "2026" }, count: 2 },
      { group: { "soldAt.year": null }, count: 3 },
    ]);
    expect(
      await get("aggregate=count&group=soldAt.month,genre&sort=-soldAt.month&page[size]=5&page[offset]=3"),
    ).toEqual(
      [
        { group: { "soldAt.month": "2026-01", genre: "novel" }, count: 1 },
        { group: { "soldAt.month": "2026-01", genre: "poem" }, count: 1 },
        { group: { "soldAt.month": "2025-12", genre: "novel" }, count: 1 },
      ].slice(0, 5),
    );
    expect(await get("aggregate=max.soldAt&group=published.day")).toEqual([
      { group: { "published.day": "2025-01-01" }, max: { soldAt: "2026-01-01T00:30:00.000Z" } },
      { group: { "published.day": "2025-01-31" }, max: { soldAt: "2025-12-31T23:30:00.000Z" } },
      { group: { "published.day": null }, max: { soldAt: "2026-01-15T00:30:00.000Z" } },
    ]);
  });
  test("filters rows and groups, and sorts by values that it doesn't return", async () => {
    expect(await get("aggregate=count&group=genre&having[count][gte]=2&sort=-avg.price")).toEqual([
      { group: { genre: "novel" }, count: 2 },
      { group: { genre: "poem" }, count: 2 },
    ]);
    expect(await get("aggregate=count&group=genre&having[avg.price][isNull]=true")).toEqual([
      { group: { genre: "essay" }, count: 1 },
    ]);
    expect(await get("aggregate=count&group=genre&having[avg][price][lt]=10&filter[price][gt]=1")).toEqual([
      { group: { genre: null }, count: 1 },
    ]);
    expect(
      await get("group=genre&having[or][0][count]=1&having[or][1][max.price][gt]=15&having[not][min.price]=7"),
    ).toEqual([{ group: { genre: "essay" } }, { group: { genre: "novel" } }]);
  });
  test("pages through groups with links and the total", async () => {
    const api = startShop();
    const url = "/books?aggregate=count&group=genre&sort=-count&page[size]=2";
    const first = await send(api, "GET", url);
    expect(first.headers).toMatchObject({ "Total-Count": "4", "Cache-Control": "private, no-cache" });
    const next = /<([^>]+)>; rel="next"/.exec(first.headers["Link"] ?? "")?.[1] ?? "";
    const second = await send(api, "GET", next);
    expect([first.body, second.body].flat()).toEqual([
      { group: { genre: "novel" }, count: 2 },
      { group: { genre: "poem" }, count: 2 },
      { group: { genre: "essay" }, count: 1 },
      { group: { genre: null }, count: 1 },
    ]);
    const back = /<([^>]+)>; rel="prev"/.exec(second.headers["Link"] ?? "")?.[1] ?? "";
    expect((await send(api, "GET", back)).body).toEqual(first.body);
    const tag = first.headers["ETag"] ?? "";
    expect((await send(api, "GET", url, { headers: { "if-none-match": tag } })).status).toBe(304);
    const other = next.replace("sort=-count", "sort=count");
    expect(await send(api, "GET", other)).toMatchObject({
      status: 400,
      body: { errors: [{ code: "invalid_cursor" }] },
    });
  });
  test("has the same query in a body", async () => {
    const body = {
      aggregate: ["count", "max.price"],
      group: ["genre"],
      having: { count: { gte: 2 } },
      sort: ["-max.price"],
      filter: { price: { gt: 0 } },
    };
    const answer = await send(startShop(), "QUERY", "/books", { body });
    expect(answer.body).toEqual([{ group: { genre: "novel" }, count: 2, max: { price: 20 } }]);
    expect((await send(startShop(), "GET", answer.headers["Location"] ?? "")).body).toEqual(answer.body);
  });
  test("counts rows of a resource that declares nothing", async () => {
    expect((await send(startShop(), "GET", "/authors?aggregate=count")).body).toEqual([{ group: {}, count: 3 }]);
    expect(await send(startShop(), "GET", "/authors?aggregate=sum.id")).toMatchObject({
      status: 400,
      body: { detail: "'author' has no aggregate 'sum.id'. Available: count." },
    });
  });
  test("writes groups as CSV and HTML, and has no other format", async () => {
    const api = startShop();
    const as = async (accept: string) =>
      api.handle(request("GET", "/books?aggregate=count,sum.pages&group=genre", { headers: { accept } }));
    const text = await as("text/csv");
    expect(text).toMatchObject({ status: 200 });
    expect(text?.body).toBe("genre,count,sum.pages\r\nessay,1,\r\nnovel,2,9007199254740994\r\npoem,2,\r\n");
    const refused = await send(api, "GET", "/books?aggregate=count", { headers: { accept: "application/hal+json" } });
    expect(refused).toMatchObject({ status: 406 });
  });
});

describe("refuses", () => {
  test.each([
    [
      "aggregate=avg.prize",
      [400, ["aggregate"], "unknown_aggregate", "'book' has no aggregate 'avg.prize'. Did you mean 'avg.price'?"],
    ],
    ["aggregate=sum.title", [400, ["aggregate"], "unknown_aggregate"]],
    [
      "aggregate=count&group=genres",
      [400, ["group"], "unknown_group", "'book' can't be grouped by 'genres'. Did you mean 'genre'?"],
    ],
    ["aggregate=count&group=secret", [400, ["group"], "unknown_group"]],
    ["aggregate=count&group=genre.year", [400, ["group"], "unknown_group"]],
    ["aggregate=count&having[cnt]=1", [400, ["having", "cnt"], "unknown_aggregate"]],
    ["aggregate=count&having[avg][prise]=1", [400, ["having", "avg", "prise"], "unknown_aggregate"]],
    ["aggregate=count&having[count][contains]=1", [400, ["having", "count", "contains"], "unknown_operator"]],
    ["aggregate=count&having[count][gte]=x", [400, ["having", "count", "gte"], "invalid_operand"]],
    ["aggregate=count&sort=genre", [400, ["sort", 0], "not_grouped"]],
    ["aggregate=count&group=genre&sort=prize", [400, ["sort", 0], "unknown_field"]],
    ["aggregate=count&group=genre&sort=count,-count", [400, ["sort", 1], "repeated"]],
    ["having[count]=1", [400, ["aggregate"], "missing"]],
    ["aggregate=", [400, ["aggregate"], "malformed"]],
    ["aggregate=count&fields=id", [400, ["fields"], "unknown_parameter"]],
    ["aggregate=count&page[size]=6", [400, ["page", "size"], "out_of_range"]],
    ["agregate=count", [400, ["agregate"], "unknown_parameter"]],
  ])("%s", async (query, expected) => {
    expect(((await refusal(query)) as unknown[]).slice(0, expected.length)).toEqual(expected);
  });
});

describe("access", () => {
  const forbidden = (use: string, words: string): unknown => [
    403,
    [use],
    "not_readable",
    `You can't ${words} 'book.margin', because you are not allowed to read it.`,
  ];
  test("a field that the caller can't read is neither aggregated nor grouped by nor compared nor sorted by (A12)", async () => {
    expect(await refusal("aggregate=count&filter[margin][gt]=1")).toEqual(forbidden("filter", "filter by"));
    expect(await refusal("aggregate=max.margin")).toEqual(forbidden("aggregate", "aggregate"));
    expect(await refusal("aggregate=count&group=margin")).toEqual(forbidden("group", "group by"));
    expect(await refusal("aggregate=count&having[max.margin][gt]=1")).toEqual(forbidden("having", "compare groups by"));
    expect(await refusal("aggregate=count&sort=max.margin")).toEqual(forbidden("sort", "sort by"));
    const errors = (await ask(startShop(), "{ booksAggregate { nodes { max { margin } } } }")).errors;
    expect(errors).toMatchObject([{ path: ["booksAggregate"], extensions: { code: "FORBIDDEN" } }]);
  });
  test("system calls see everything", async () => {
    const local = startShop().as(asSystem("a test")) as never as {
      book: { aggregate: (o: object) => Promise<object> };
    };
    expect(await local.book.aggregate({ aggregate: ["count", "max.margin"] })).toMatchObject({
      groups: [{ count: 7, max: { margin: 100 } }],
    });
  });
});

describe("GraphQL", () => {
  test("returns groups with the selected values", async () => {
    const query = `query ($least: Int) {
      booksAggregate(groupBy: [GENRE, SOLD_AT_MONTH], having: { count: { gte: $least }, max: { price: { gt: 0 } } }, sort: [COUNT_DESC, MAX_PRICE_ASC], first: 2) {
        totalCount pageInfo { hasNextPage endCursor }
        nodes { group { genre soldAtMonth isDraft } rows: count avg { price } ... on BookAggregate { sum { pages stars } } }
      }
    }`;
    const { data, errors } = await ask(startShop(), query, { body: { least: 1 } });
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      booksAggregate: {
        totalCount: 4,
        pageInfo: { hasNextPage: true, endCursor: expect.any(String) as string },
        nodes: [
          {
            group: { genre: "poem", soldAtMonth: "2026-01", isDraft: null },
            rows: 1,
            avg: { price: 0.5 },
            sum: { pages: null, stars: 3 },
          },
          {
            group: { genre: null, soldAtMonth: null, isDraft: null },
            rows: 1,
            avg: { price: 7 },
            sum: { pages: null, stars: 6 },
          },
        ],
      },
    });
  });
  test("has no field for a resource that declares nothing", () => {
    const sdl = startShop().graphql.sdl();
    expect(sdl).toContain("booksAggregate(");
    expect(sdl).not.toContain("authorsAggregate");
  });
});

test("local calls decode values", async () => {
  const { book } = startShop().local as never as { book: { aggregate: (o: object) => Promise<object> } };
  expect(
    await book.aggregate({
      aggregate: ["max.soldAt", "sum.pages", "avg.pages"],
      group: ["genre"],
      having: { "max.soldAt": { gte: new Date("2026-01-01T00:00:00Z") } },
      page: { size: 1 },
    }),
  ).toEqual({
    groups: [
      {
        group: { genre: "novel" },
        sum: { pages: 9007199254740994n },
        avg: { pages: 4503599627370497 },
        max: { soldAt: new Date("2026-01-01T00:30:00Z") },
      },
    ],
    total: 2,
    hasNext: true,
    hasPrevious: false,
    startCursor: expect.any(String) as string,
    endCursor: expect.any(String) as string,
  });
});

test("the OpenAPI document of all formats describes parameters, queries and groups", () => {
  const document = startShop().openapi("", "3.2", "all") as never as {
    paths: Record<string, Record<string, { parameters: { name: string }[]; responses: Record<string, object> }>>;
    components: { schemas: Record<string, { properties: Record<string, object> }> };
  };
  const { parameters, responses } = document.paths["/books"]?.["get"] ?? { parameters: [], responses: {} };
  expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(["aggregate", "group", "having"]));
  expect(JSON.stringify(responses["200"])).toContain("BookAggregate");
  expect(document.components.schemas["BookAggregate"]?.properties["sum"]).toEqual({
    type: "object",
    properties: {
      price: { type: ["number", "null"] },
      pages: { type: ["string", "null"], pattern: "^-?\\d+$" },
      stars: { type: ["integer", "null"] },
      margin: { type: ["number", "null"] },
      cost: expect.objectContaining({ type: ["string", "null"], format: "decimal" }) as object,
    },
  });
  expect(Object.keys(document.components.schemas["BookQuery"]?.properties ?? {})).toContain("having");
});

describe("relations", () => {
  test("REST returns the groups of the rows of one parent", async () => {
    const api = startShop();
    expect(
      (await send(api, "GET", "/authors/2/books?aggregate=count,sum.stars&group=genre&sort=-sum.stars")).body,
    ).toEqual([
      { group: { genre: "essay" }, count: 1, sum: { stars: 5 } },
      { group: { genre: "poem" }, count: 1, sum: { stars: 3 } },
    ]);
    expect((await send(api, "GET", "/authors/3/books?aggregate=count,max.price")).body).toEqual([
      { group: {}, count: 0, max: { price: null } },
    ]);
    expect(await send(api, "GET", "/authors/9/books?aggregate=count")).toMatchObject({ status: 404 });
    expect(await send(api, "GET", "/authors/1/books?aggregate=max.margin")).toMatchObject({ status: 403 });
  });
  test("REST pages through them", async () => {
    const api = startShop();
    const first = await send(api, "GET", "/authors/1/books?group=genre&page[size]=2");
    expect(first.headers["Total-Count"]).toBe("3");
    const next = /<([^>]+)>; rel="next"/.exec(first.headers["Link"] ?? "")?.[1] ?? "";
    expect((await send(api, "GET", next)).body).toEqual([{ group: { genre: null } }]);
  });
  test("GraphQL returns the groups of the rows of each parent with one store call", async () => {
    const store = memoryStore({ data: { author: AUTHORS, book: BOOKS } });
    const calls: string[] = [];
    const counted = new Proxy(store, {
      get(target, name: keyof typeof store) {
        const member = target[name];
        if (typeof member !== "function") return member;
        return (...args: never[]) => {
          calls.push(name);
          return (member as (...given: never[]) => unknown).apply(target, args);
        };
      },
    });
    const query = `query ($least: Float) {
      authors(sort: [NAME_DESC]) {
        nodes {
          name
          booksAggregate { nodes { count avg { price } } }
          dear: booksAggregate(groupBy: [GENRE], having: { max: { price: { gte: $least } } }, first: 1) { totalCount nodes { group { genre } } }
          books(first: 1) { nodes { title } }
        }
      }
    }`;
    const { data, errors } = await ask(startShop({ store: counted }), query, { body: { least: 1 } });
    expect(errors).toBeUndefined();
    expect(data?.["authors"]).toHaveProperty("nodes", [
      {
        name: "Author 3",
        booksAggregate: { nodes: [{ count: 0, avg: { price: null } }] },
        dear: { totalCount: 0, nodes: [] },
        books: { nodes: [] },
      },
      {
        name: "Author 2",
        booksAggregate: { nodes: [{ count: 2, avg: { price: 0.5 } }] },
        dear: { totalCount: 0, nodes: [] },
        books: { nodes: [{ title: "Book 3" }] },
      },
      {
        name: "Author 1",
        booksAggregate: { nodes: [{ count: 4, avg: { price: 37 / 3 } }] },
        dear: { totalCount: 2, nodes: [{ group: { genre: "novel" } }] },
        books: { nodes: [{ title: "Book 1" }] },
      },
    ]);
    expect(calls.filter((name) => /^(list|byKeys|aggregate)/.test(name)).sort()).toEqual([
      "aggregatePer",
      "aggregatePer",
      "list",
      "listPer",
    ]);
  });
  test("GraphQL refuses a field that the caller can't read", async () => {
    const { errors } = await ask(startShop(), "{ author(id: 1) { booksAggregate { nodes { max { margin } } } } }");
    expect(errors).toMatchObject([{ extensions: { code: "FORBIDDEN" } }]);
  });
});
