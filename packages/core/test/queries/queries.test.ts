import { graphql } from "graphql";
import { describe, expect, test } from "vitest";
import { ask, send } from "../request.ts";
import { answerText } from "../answer.ts";
import { startBookshop } from "./bookshop.ts";

const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
const ann = { id: "ann" };

async function titles(url: string, parts = {}): Promise<unknown> {
  const { status, body } = await send(startBookshop().api, "GET", url, parts);
  return status === 200 ? (body as { title: string }[]).map(({ title }) => title) : [status, body];
}

async function refusal(url: string, parts = {}): Promise<unknown> {
  const { status, body } = await send(startBookshop().api, "GET", url, parts);
  const { code, errors = [], detail } = body as { code: string; detail: string; errors?: { path: unknown }[] };
  return [status, code, errors.length > 0 ? errors.map(({ path }) => path) : detail];
}

describe("rows", () => {
  test("are those that the query finds, in its order and in pages", async () => {
    expect(await titles("/books/trending?year=2020&page[size]=5")).toEqual(["Poems", "Dubliners", "Ulysses", "Emma"]);
    expect(await titles("/books/trending?year=2022")).toEqual(["Poems", "Dubliners"]);
    expect(await titles("/books/newest")).toEqual(["Poems", "Dubliners"]);
  });
  test("must also match the caller's filter and search, and the caller's sort replaces the query's", async () => {
    expect(await titles("/books/trending?year=2020&filter[genre]=novel&page[size]=5")).toEqual([
      "Dubliners",
      "Ulysses",
      "Emma",
    ]);
    expect(await titles("/books/trending?year=2020&sort=title")).toEqual(["Dubliners", "Emma"]);
    expect(await titles("/books/trending?year=2020&q=emm")).toEqual(["Emma"]);
  });
  test("can be shaped, counted and embedded like those of a list", async () => {
    const { api } = startBookshop();
    const { body, headers } = await send(
      api,
      "GET",
      "/books/trending?year=2020&fields=title&include=author&page[size]=1&count=true",
    );
    expect(body).toEqual([{ title: "Poems", author: { id: 2, name: "Bo", bookCount: 2 } }]);
    expect(headers["Total-Count"]).toBe("4");
  });
  test("need one store call", async () => {
    const { api, calls } = startBookshop();
    await send(api, "GET", "/books/trending?year=2020");
    expect(calls).toEqual(["book.list"]);
    calls.length = 0;
    await ask(api, "{ trendingBooks(year: 2020) { nodes { title author { name } } } }");
    expect(calls).toEqual(["book.list", "author.byKeys(1)"]);
    calls.length = 0;
    await api.local.book.queries.similar(1);
    expect(calls).toEqual(["book.byKeys(1)", "book.list"]);
  });
  test("that the caller can't read are hidden", async () => {
    expect(await titles("/books/trending?year=2024")).toEqual(["Poems"]);
    expect(await titles("/books/trending?year=2024", as("ann"))).toEqual(["Odes", "Poems"]);
  });
  test("of a query on a row need a row that the caller can read", async () => {
    expect(await titles("/books/1/similar")).toEqual(["Persuasion", "Ulysses"]);
    expect(await titles("/books/5/similar")).toEqual([]);
    expect(await titles("/books/5/similar", as("ann"))).toEqual(["Odes"]);
    for (const id of ["6", "77", "x"])
      expect(await refusal(`/books/${id}/similar`)).toEqual([404, "NOT_FOUND", expect.anything()]);
  });
  test("can depend on related rows and on the caller's own calls", async () => {
    expect(await titles("/books/of-long-name")).toEqual(["Dubliners", "Poems"]);
    expect(await titles("/books/mine", as("ann"))).toEqual(["Emma", "Persuasion"]);
  });
  test("can be sorted by values of related rows", async () => {
    const { body } = await send(startBookshop().api, "GET", "/authors/busy?fields=name,bookCount");
    expect(body).toEqual([
      { name: "ann", bookCount: 3 },
      { name: "Bo", bookCount: 2 },
    ]);
  });
});

describe("access", () => {
  test("a rule denies the query, or limits its rows", async () => {
    expect(await refusal("/books/mine")).toEqual([401, "UNAUTHENTICATED", expect.anything()]);
    // A value has no rows that a filter could apply to.
    expect(await refusal("/books/editors", as("editor"))).toEqual([403, "FORBIDDEN", expect.anything()]);
    expect(await titles("/books/cheap")).toEqual(["Emma"]);
    expect(await titles("/books/1/same-genre")).toEqual(["Emma", "Persuasion"]);
    expect(await refusal("/books/5/same-genre")).toEqual([401, "UNAUTHENTICATED", expect.anything()]);
    expect(await titles("/books/5/same-genre", as("ann"))).toEqual(["Poems", "Odes"]);
  });
  test("the order of a query doesn't reveal fields that the caller can't read", async () => {
    expect(await refusal("/books/profitable", as("ann"))).toEqual([403, "FORBIDDEN", expect.anything()]);
    expect(await titles("/books/profitable", as("editor"))).toEqual(["Emma", "Persuasion"]);
  });
  test("a constant deny removes the query", async () => {
    const { api } = startBookshop();
    expect((await send(api, "GET", "/books/never")).status).toBe(404);
    expect(api.graphql.sdl()).not.toContain("never");
    await expect(api.local.book.queries.never()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });
});

describe("input", () => {
  test("comes from the query string: numbers, flags, lists and objects", async () => {
    expect(await titles("/books/trending?year=2020&genres=poem")).toEqual(["Poems"]);
    expect(await titles("/books/trending?year=2020&genres=poem&genres=novel")).toEqual(["Poems", "Dubliners"]);
    expect(await titles("/books/trending?year=2020&range[least]=15&sort=price")).toEqual(["Ulysses", "Dubliners"]);
    expect(await titles("/books/trending?year=2020&range[least]=15&range[exact]=true")).toEqual(["Ulysses"]);
  });
  test("comes from the body of QUERY", async () => {
    const { api } = startBookshop();
    const body = { year: 2020, range: { least: 15, exact: true }, filter: { genre: "novel" } };
    const found = await send(api, "QUERY", "/books/trending", { body });
    expect([found.status, (found.body as { title: string }[])[0]?.title]).toEqual([200, "Ulysses"]);
    const same = await send(api, "GET", found.headers["Location"] as string);
    expect(same.body).toEqual(found.body);
    const value = await send(api, "QUERY", "/books/2/summary", { body: { words: 0 } });
    expect(value.body).toEqual({ text: "", year: 2021 });
  });
  test("is validated", async () => {
    expect(await refusal("/books/trending")).toEqual([422, "VALIDATION_FAILED", [["year"]]]);
    expect(await refusal("/books/trending?year=x")).toEqual([422, "VALIDATION_FAILED", [["year"]]]);
    expect(await refusal("/books/trending?year=1&genres=play")).toEqual([
      422,
      "VALIDATION_FAILED",
      [["year"], ["genres", 0]],
    ]);
  });
  test("rejects unknown parameters with a suggestion", async () => {
    const { body } = await send(startBookshop().api, "GET", "/books/trending?yeer=2020");
    expect(body).toMatchObject({ code: "BAD_REQUEST", errors: [{ message: expect.stringContaining("'year'") }] });
    expect(await refusal("/books/1/summary?filter[price]=1")).toEqual([400, "BAD_REQUEST", [["filter"]]]);
  });
});

describe("values", () => {
  test("are returned in every style", async () => {
    const { api } = startBookshop();
    const summary = { text: "Emma", year: 2020 };
    expect((await send(api, "GET", "/books/1/summary?words=1")).body).toEqual(summary);
    expect(await ask(api, "{ bookSummary(id: 1, words: 1) { text year } booksStats { books } }")).toEqual({
      data: { bookSummary: summary, booksStats: { books: 6 } },
    });
    expect(await api.local.book.queries.summary(1, { words: 1 })).toEqual(summary);
    expect(await api.local.book.queries.stats()).toEqual({ books: 6 });
    expect(await api.as(ann).book.queries.whoAmI()).toBe("ann");
  });
  test("of a row that the caller can't read are 404, null or an error", async () => {
    const { api } = startBookshop();
    expect(await refusal("/books/6/summary")).toEqual([404, "NOT_FOUND", expect.anything()]);
    expect(
      await ask(
        api,
        '{ bookSummary(id: 6) { text } b: bookSummary(id: "x") { text } c: similarBooks(id: 6) { totalCount } }',
      ),
    ).toEqual({
      data: { bookSummary: null, b: null, c: null },
    });
    await expect(api.local.book.queries.summary(6)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
  test("have entity tags, and are only cached publicly if they don't depend on the caller", async () => {
    const { api } = startBookshop();
    const first = await send(api, "GET", "/books/stats");
    expect(first.headers["Cache-Control"]).toBe("public, max-age=60");
    const again = await send(api, "GET", "/books/stats", {
      headers: { "if-none-match": first.headers["ETag"] as string },
    });
    expect(again.status).toBe(304);
    expect((await send(api, "GET", "/books/who-am-i")).headers["Cache-Control"]).toBe("private, no-cache");
    expect((await send(api, "GET", "/authors/busy")).headers["Cache-Control"]).toBe("private, no-cache");
  });
});

describe("cursors", () => {
  test("continue the query, in every style", async () => {
    const { api } = startBookshop();
    const first = await send(api, "GET", "/books/trending?year=2020&genres=novel");
    const next = /<([^>]*)>; rel="next"/.exec(first.headers["Link"] ?? "")?.[1] ?? "";
    expect(((await send(api, "GET", next)).body as { title: string }[]).map(({ title }) => title)).toEqual(["Emma"]);
    const after = new URLSearchParams(next.split("?")[1]).get("page[after]") as string;
    const query =
      "query ($after: String) { trendingBooks(year: 2020, genres: [novel], after: $after) { nodes { title } } }";
    expect(await ask(api, query, { body: { after } })).toEqual({
      data: { trendingBooks: { nodes: [{ title: "Emma" }] } },
    });
    const { items } = await api.local.book.queries.trending({ year: 2020, genres: ["novel"] }, { page: { after } });
    expect(items.map(({ title }) => title)).toEqual(["Emma"]);
  });
  test("belong to one query and one input", async () => {
    const { api } = startBookshop();
    const { endCursor } = await api.local.book.queries.trending({ year: 2020 });
    const page = { after: endCursor as string };
    await api.local.book.queries.trending({ year: 2020 }, { page });
    await expect(api.local.book.queries.trending({ year: 2021 }, { page })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    const { endCursor: plain } = await api.local.book.list({ sort: ["title"] });
    const other = { sort: ["title"], page: { after: plain as string } } as const;
    await api.local.book.list(other);
    await expect(api.local.book.queries.trending({ year: 2020 }, other)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const { endCursor: similar } = await api.local.book.queries.similar(1);
    await expect(api.local.book.queries.similar(2, { page: { after: similar as string } })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  });
});

describe("GraphQL", () => {
  const query = `query ($year: Int!, $genre: Genre) {
    trendingBooks(year: $year, range: { least: 1 }, filter: { genre: { eq: novel } }, sort: [TITLE_ASC], first: 2) {
      totalCount nodes { title author { name } } pageInfo { hasNextPage }
    }
  }`.replace(", $genre: Genre", "");
  const data = {
    trendingBooks: {
      totalCount: 3,
      nodes: [
        { title: "Dubliners", author: { name: "Bo" } },
        { title: "Emma", author: { name: "ann" } },
      ],
      pageInfo: { hasNextPage: true },
    },
  };
  test("returns a connection from a compiled plan and from graphql-js", async () => {
    const { api } = startBookshop();
    expect(await ask(api, query, { body: { year: 2020 } })).toEqual({ data });
    const { schema } = api.graphql;
    const contextValue = api.graphql.context(null);
    const result = await graphql({ schema, source: query, variableValues: { year: 2020 }, contextValue });
    expect(JSON.parse(JSON.stringify(result))).toEqual({ data });
    const values = await graphql({ schema, source: "{ bookSummary(id: 2) { text } }", contextValue });
    expect(JSON.parse(JSON.stringify(values))).toEqual({ data: { bookSummary: { text: "Persuasion" } } });
  });
  test("ignores null for an optional argument", async () => {
    const { api } = startBookshop();
    expect(await ask(api, "{ trendingBooks(year: 2024, genres: null) { nodes { title } } }")).toEqual({
      data: { trendingBooks: { nodes: [{ title: "Poems" }] } },
    });
  });
  test("has the fields of queries in the schema", () => {
    const sdl = startBookshop().api.graphql.sdl();
    expect(sdl).toMatch(/"""The best-selling books since a year."""\s+trendingBooks\(/);
    expect(sdl).toContain("bookSummary(id: ID!, words: Int): BookSummaryOutput");
    expect(sdl).toContain("booksStats: BooksStatsOutput!");
  });
});

describe("methods and formats", () => {
  test("a query has GET, HEAD and QUERY, and its path isn't a row", async () => {
    const { api } = startBookshop();
    const options = await send(api, "OPTIONS", "/books/trending");
    expect(options.headers).toMatchObject({ Allow: "GET, HEAD, QUERY, OPTIONS", "Accept-Query": "application/json" });
    const deletion = await send(api, "DELETE", "/books/trending");
    expect([deletion.status, deletion.headers["Allow"]]).toEqual([405, "GET, HEAD, QUERY, OPTIONS"]);
    expect((await send(api, "POST", "/books/1/summary", { body: {} })).status).toBe(405);
    const head = await send(api, "HEAD", "/books/newest");
    expect([head.status, head.headers["ETag"]]).toEqual([
      200,
      (await send(api, "GET", "/books/newest")).headers["ETag"],
    ]);
    expect((await send(api, "GET", "/books/1")).status).toBe(200);
  });
  test("rows have the formats of lists, and a whole list as CSV", async () => {
    const { api } = startBookshop();
    const get = (accept: string) =>
      answerText(api, "GET", "/books/trending?year=2020&fields=title", { headers: { accept } });
    expect((await get("text/csv")).text.split("\r\n")).toEqual(["title", "Poems", "Dubliners", "Ulysses", "Emma", ""]);
    const { text } = await get("application/vnd.api+json");
    const { data, links } = JSON.parse(text) as { data: unknown[]; links: { next: string; self?: string } };
    expect(data).toHaveLength(2);
    expect(links.next).toContain("/books/trending?year=2020");
    const page = await get("text/html");
    expect(page.status).toBe(200);
    expect(page.text).toContain("Back to the books");
    const books = await answerText(api, "GET", "/books", { headers: { accept: "text/html" } });
    expect(books.text).toContain('<a href="/books/newest">Newest</a>');
    expect(books.text).toMatch(
      /<form method="get" action="\/books\/trending">\s+<div class="grid"><label>Year <input name="year" required>/,
    );
    const book = await answerText(api, "GET", "/books/1", { headers: { accept: "text/html" } });
    expect(book.text).toContain('<a href="/books/1/similar">Similar</a>');
    expect((await send(api, "GET", "/books/stats", { headers: { accept: "text/csv" } })).status).toBe(406);
  });
});

describe("code of a query", () => {
  test.each([
    ["filter", "'lt' requires a value"],
    ["member", "'where' is not an option"],
    ["list", "it must be an object"],
    ["sort", "can't be sorted by 'nothing'"],
    ["store", "A query only reads, so it can't use 'create'"],
    ["stores", "A query only reads, so it can't use 'create'"],
    ["local", "A query only reads, so it can't use 'create'"],
  ])("fails with a masked error and a log entry if its result or its calls are wrong: %s", async (how, message) => {
    const { api, entries } = startBookshop();
    const { status, body } = await send(api, "GET", `/books/broken?how=${how}`);
    expect([status, JSON.stringify(body).includes(message)]).toEqual([500, false]);
    const texts = entries.map(({ details }) => String((details as { cause?: Error }).cause?.message));
    expect(texts.join()).toContain(message);
  });
});
