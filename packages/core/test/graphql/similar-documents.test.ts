import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, hasMany, memoryStore } from "../../src/index.ts";
import { answerText } from "../answer.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), title: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), name: z.string(), authorId: z.int32(), year: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access: { ...access, fields: { year: { read: ({ principal }) => principal !== null } } },
  sortable: ["title"],
  filterable: ["title"],
});

const ROWS = 40;
/** Enough for the texts of rows to be cached. */
const REPEATS = 10;

function createApi() {
  const ids = Array.from({ length: ROWS }, (_, id) => id);
  return defineApi({
    resources: [author, book],
    auth: {
      challenge: "Bearer",
      schemes: {},
      authenticate: ({ headers }) => (headers["authorization"] === "ann" ? { id: "ann" } : null),
    },
    store: memoryStore({
      data: {
        author: ids.map((id) => ({ id, name: `author ${id}`, title: `Dr ${id}` })),
        book: ids.map((id) => ({ id, title: `book ${id}`, name: `name ${id}`, authorId: id % 7, year: 2000 + id })),
      },
    }),
  });
}

type Api = ReturnType<typeof createApi>;

async function run(api: Api, query: string, user?: string): Promise<unknown> {
  const headers = user === undefined ? {} : { authorization: user };
  const { text } = await answerText(api, "POST", "/graphql", { body: { query }, headers });
  return JSON.parse(text);
}

const SELECTIONS = [
  "books(first: 40) { nodes { title name } }",
  "books(first: 40) { nodes { name title } }",
  "books(first: 40) { nodes { title: name name: title } }",
  "books(first: 40) { nodes { title name __typename } }",
  "books(first: 40) { nodes { title author { title name } name } }",
  "books(first: 40) { nodes { author { name title } title name } }",
  "books(first: 40) { edges { node { title name } } }",
  "books(first: 3) { totalCount nodes { title name } }",
  "authors(first: 40) { nodes { title name } }",
  "authors(first: 40) { nodes { title name __typename } }",
  "authors(first: 40) { nodes { title name books(first: 2) { nodes { title name } } } }",
  "authors(first: 40) { nodes { title name books(first: 3) { nodes { title name } } } }",
  "authors(first: 40) { nodes { title name books(first: 3) { totalCount nodes { title name } } } }",
  "authors(first: 40) { nodes { title name books(first: 2, sort: [TITLE_DESC]) { nodes { title name } } } }",
  'authors(first: 40) { nodes { title name books(first: 2, filter: { title: { eq: "book 3" } }) { nodes { title } } } }',
  'authors(first: 40) { nodes { title name books(first: 2, filter: { title: { eq: "book 4" } }) { nodes { title } } } }',
  "author(id: 3) { title name }",
  "book(id: 3) { title name }",
];

test("returns the same for each of many similar documents as an API that has seen no other", async () => {
  const shared = createApi();
  const expected = await Promise.all(SELECTIONS.map((selection) => run(createApi(), `{ ${selection} }`)));
  expect(new Set(expected.map((result) => JSON.stringify(result))).size).toBe(SELECTIONS.length);
  for (let n = 0; n < REPEATS; n++) {
    for (const [index, selection] of SELECTIONS.entries())
      expect(await run(shared, `query Books${n} { ${selection} }`)).toEqual(expected[index]);
  }
});

test("returns new values after a write, from documents that differ only in their names", async () => {
  const api = createApi();
  const titleOf = async (n: number): Promise<unknown> => {
    const result = await run(api, `query Books${n} { books(first: 40) { nodes { id title } } }`);
    return (result as { data: { books: { nodes: { title: string }[] } } }).data.books.nodes[3]?.title;
  };
  for (let n = 0; n < REPEATS; n++) expect(await titleOf(n)).toBe("book 3");
  await run(api, 'mutation { updateBook(id: 3, input: { title: "new" }) { title } }');
  for (let n = REPEATS; n < 2 * REPEATS; n++) expect(await titleOf(n)).toBe("new");
});

test("applies the rights of each caller to documents that differ only in their names", async () => {
  const api = createApi();
  const query = (n: number): string => `query Book${n} { book(id: 3) { id year } }`;
  for (let n = 0; n < REPEATS; n++) {
    expect(await run(api, query(2 * n), "ann")).toEqual({ data: { book: { id: "3", year: 2003 } } });
    expect(await run(api, query(2 * n + 1))).toMatchObject({ errors: [{ extensions: { code: "FORBIDDEN" } }] });
  }
});

test("returns nested lists as they are after each kind of write", async () => {
  const api = createApi();
  const query = "{ authors(first: 7) { nodes { books(first: 40) { nodes { id title } } } } }";
  const books = async (): Promise<string> => {
    // Enough for the texts of lists to be cached.
    for (let n = 0; n < 50; n++) await run(api, query);
    return JSON.stringify(await run(api, query));
  };
  expect(await books()).not.toContain("new");
  await run(api, 'mutation { updateBook(id: 3, input: { title: "new 3" }) { title } }');
  expect(await books()).toContain('{"id":"3","title":"new 3"}');
  await run(api, 'mutation { createBook(input: { id: 90, title: "new 90", name: "", authorId: 3, year: 1 }) { id } }');
  expect(await books()).toContain('{"id":"38","title":"book 38"},{"id":"90","title":"new 90"}]');
  await run(api, "mutation { deleteBook(id: 3) { id } }");
  const after = await books();
  expect(after).not.toContain('"id":"3"');
  expect(after).toContain('"id":"90"');
});
