import { expect, test } from "vitest";
import { ask, onEachStore, send } from "./stores.ts";

const LEM = "a0000000-0000-4000-8000-000000000003";
const EMMA = "b0000000-0000-4000-8000-000000000001";

onEachStore((base) => {
  test("returns a row with its relations", async () => {
    const document = `{ book(id: "${EMMA}") { title genre author { name books(first: 1, sort: [PRICE_DESC]) { totalCount nodes { title } } }
      reviews(filter: { stars: { gte: 5 } }) { nodes { stars reviewer } } tags { nodes { slug } } } }`;
    expect(await ask(base(), document)).toEqual({
      data: {
        book: {
          title: "Emma",
          genre: "novel",
          author: { name: "Jane Austen", books: { totalCount: 3, nodes: [{ title: "Emma" }] } },
          reviews: { nodes: [{ stars: 5, reviewer: "reader" }] },
          tags: { nodes: [{ slug: "classic" }, { slug: "satire" }] },
        },
      },
    });
  });

  test("pages forward and backward by the same cursors as REST", async () => {
    const first = await ask(
      base(),
      "{ books(first: 3, sort: [PRICE_ASC]) { totalCount nodes { title } pageInfo { hasNextPage endCursor } } }",
    );
    const { books } = first.data as {
      books: { totalCount: number; nodes: object[]; pageInfo: { endCursor: string; hasNextPage: boolean } };
    };
    expect([books.totalCount, books.pageInfo.hasNextPage, books.nodes.length]).toEqual([11, true, 3]);
    const after = books.pageInfo.endCursor;
    const second = await ask(
      base(),
      "query ($after: String) { books(first: 2, after: $after, sort: [PRICE_ASC]) { edges { cursor node { title } } } }",
      {
        variables: { after },
      },
    );
    const { edges } = (second.data as { books: { edges: { node: { title: string } }[] } }).books;
    const rest = await send(base(), "GET", `/books?sort=price&page[size]=2&page[after]=${after}&fields=title`);
    expect(edges.map(({ node }) => node)).toEqual(rest.body);
    const back = await ask(
      base(),
      `{ books(last: 1, before: "${after}", sort: [PRICE_ASC]) { nodes { title } pageInfo { hasPreviousPage } } }`,
    );
    expect((back.data as { books: { nodes: object[] } }).books.nodes).toEqual([books.nodes[1]]);
    const bound = await ask(base(), `{ books(after: "${after}", sort: [TITLE_ASC]) { nodes { title } } }`);
    expect(bound.errors?.[0]?.extensions).toMatchObject({ code: "BAD_REQUEST" });
  });

  test("returns null and an error for a field that the caller cannot read", async () => {
    const document = `{ author(id: "${LEM}") { name email } }`;
    expect(await ask(base(), document)).toMatchObject({
      data: { author: { name: "Stanisław Lem", email: null } },
      errors: [{ path: ["author", "email"], extensions: { code: "FORBIDDEN" } }],
    });
    expect(await ask(base(), document, { as: "reader" })).toEqual({
      data: { author: { name: "Stanisław Lem", email: "stanislaw@example.com" } },
    });
    const filtered = await ask(base(), '{ authors(filter: { email: { startsWith: "j" } }) { nodes { name } } }');
    expect(filtered.errors?.[0]?.extensions).toMatchObject({ code: "FORBIDDEN" });
  });

  test("returns null for hidden rows", async () => {
    const document = `{ book(id: "${EMMA.replace(/1$/, "2").replace("02", "12")}") { title } nothing: book(id: "x") { title } }`;
    expect(await ask(base(), document)).toEqual({ data: { book: null, nothing: null } });
    expect(await ask(base(), document, { as: "editor" })).toMatchObject({
      data: { book: { title: "Letters from Anarres" } },
    });
  });

  test("runs mutations", async () => {
    const created = await ask(
      base(),
      "mutation ($input: CreateBookInput!) { createBook(input: $input) { id price author { name } } }",
      {
        as: "editor",
        variables: { input: { title: "Eden", authorId: LEM, genre: "novel", price: 9, publishedAt: "1959-01-01" } },
      },
    );
    expect(created).toMatchObject({ data: { createBook: { price: 9, author: { name: "Stanisław Lem" } } } });
    const { id } = (created.data as { createBook: { id: string } }).createBook;
    const run = (fields: string) => ask(base(), `mutation { ${fields} }`, { as: "admin" });
    expect(await run(`updateBook(id: "${id}", input: { price: 11 }) { price }`)).toEqual({
      data: { updateBook: { price: 11 } },
    });
    expect(
      (await run(`updateBook(id: "${id}", input: { price: 12 }, ifMatch: "old") { price }`)).errors?.[0]?.extensions,
    ).toEqual({
      code: "PRECONDITION_FAILED",
    });
    expect(await run(`publishBook(id: "${id}", input: { at: "2026-01-01" }) { publishedAt }`)).toEqual({
      data: { publishBook: { publishedAt: "2026-01-01" } },
    });
    expect(await run(`linkBookTag(id: "${id}", tagId: "sale") { tags { nodes { slug } } }`)).toEqual({
      data: { linkBookTag: { tags: { nodes: [{ slug: "sale" }] } } },
    });
    expect(await run(`discountBooks(input: { genre: drama, percent: 10 }) { changed }`)).toEqual({
      data: { discountBooks: { changed: 0 } },
    });
    expect(await run(`deleteBook(id: "${id}") { deleted id }`)).toEqual({
      data: { deleteBook: { deleted: true, id } },
    });
    expect((await run(`deleteBook(id: "${id}") { deleted }`)).errors?.[0]?.extensions).toEqual({ code: "NOT_FOUND" });
  });

  test("returns errors with the same code and issues as REST", async () => {
    const body = { title: "", authorId: LEM, genre: "novel", price: -1, publishedAt: null };
    const rest = await send(base(), "POST", "/books", { as: "editor", body });
    const graphql = await ask(base(), "mutation ($input: CreateBookInput!) { createBook(input: $input) { id } }", {
      as: "editor",
      variables: { input: body },
    });
    const problem = rest.body as { code: string; errors: unknown };
    expect(graphql.errors?.[0]?.extensions).toEqual({ code: problem.code, errors: problem.errors });
    const anonymous = await ask(base(), 'mutation { deleteTag(id: "sale") { deleted } }');
    expect(anonymous.errors?.[0]?.extensions).toEqual({ code: "UNAUTHENTICATED" });
  });

  test("shows no internal field in introspection", async () => {
    const { data } = await ask(base(), '{ __type(name: "Book") { fields { name } } }');
    const names = (data as { __type: { fields: { name: string }[] } }).__type.fields.map(({ name }) => name);
    expect(names).toEqual([
      "id",
      "title",
      "authorId",
      "genre",
      "price",
      "publishedAt",
      "createdAt",
      "updatedAt",
      "isDraft",
      "averageStars",
      "priceInDollars",
      "author",
      "reviews",
      "tags",
      "reviewsAggregate",
    ]);
  });

  test("validates a document before anything runs", async () => {
    const { data, errors } = await ask(base(), 'mutation { deleteTag(id: "sale") { deleted } nope }', { as: "admin" });
    expect(data).toBeUndefined();
    expect(errors?.[0]?.message).toContain("nope");
    expect((await send(base(), "GET", "/tags/sale")).status).toBe(200);
  });
});
