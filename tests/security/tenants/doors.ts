import fc from "fast-check";
import { cursorsOfBen } from "./cursors-of-ben.ts";
import { idOf, KEYS } from "./shops.ts";

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body?: object;
  readonly key?: string;
}

/** Rows of shop a, rows that only exist in one of the two worlds, new rows of shop a, and rows that exist in none. */
const id = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 3 }).map((n) => idOf(0, n)) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }).map((n) => idOf(1, n)) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 20 }).map((n) => idOf(2, 5 * n + 1)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }).map((n) => idOf(3, n)) },
);
const own = fc.integer({ min: 1, max: 2 }).map((n) => idOf(0, n));
const title = fc.constantFrom("Emma", "Ulysses", "Dune");
const isbn = fc.integer({ min: 1, max: 6 }).map(String);
const stars = fc.integer({ min: 1, max: 5 });
const quantifier = fc.constantFrom("some", "every", "none");
const order = fc.constantFrom("title", "-title", "-price,title");

const cursor = fc.constantFrom(...(await cursorsOfBen()));
const key = fc.constantFrom(...KEYS);

const get = (url: string): Asked => ({ method: "GET", url });
const write = (method: string, url: string, body?: object): Asked => ({ method, url, ...(body && { body }) });
const graphql = (query: string, variables: object = {}): Asked => ({
  method: "POST",
  url: "/graphql",
  body: { query, variables },
});
const draw = <const T extends readonly fc.Arbitrary<unknown>[]>(
  parts: T,
  to: (...drawn: { [K in keyof T]: T[K] extends fc.Arbitrary<infer V> ? V : never }) => Asked,
): fc.Arbitrary<Asked> => fc.tuple(...parts).map((drawn) => to(...(drawn as never)));

/** Every way to reach rows, by name. */
export const DOORS: Readonly<Record<string, fc.Arbitrary<Asked>>> = {
  list: draw([order], (sort) => get(`/books?count=true&sort=${sort}&include=reviews,tags,country`)),
  page: draw([fc.nat(3)], (offset) => get(`/books?page[size]=1&page[offset]=${offset}`)),
  cursor: draw([cursor, fc.constantFrom("after", "before")], (token, side) =>
    get(`/books?page[size]=2&sort=title&page[${side}]=${token}`),
  ),
  graphqlCursor: draw([cursor], (after) =>
    graphql(
      "query ($after: String!) { books(first: 2, sort: [TITLE_ASC], after: $after) { pageInfo { hasNextPage endCursor } nodes { id } } }",
      { after },
    ),
  ),
  filter: draw([title, stars, quantifier], (eq, gte, each) =>
    get(`/books?filter[or][0][title]=${eq}&filter[or][1][reviews][${each}][stars][gte]=${gte}&count=true`),
  ),
  throughCountry: draw([title, quantifier], (eq, each) =>
    get(
      `/countries?filter[books][${each}][title]=${eq}&include=books.reviews&rel[books][sort]=-title&rel[books][page][size]=5`,
    ),
  ),
  search: draw([title], (words) => get(`/books?q=${words}&count=true`)),
  nested: draw([order], (sort) => get(`/countries/GB/books?sort=${sort}&count=true`)),
  item: draw([id], (key) => get(`/books/${key}?include=reviews,tags,country`)),
  nestedItem: draw([id], (key) => get(`/reviews/${key}/book`)),
  aggregate: draw([fc.constantFrom("", "&group=title&sort=-count")], (more) =>
    get(`/books?aggregate=count,sum.price,max.price${more}`),
  ),
  query: draw([title], (eq) => write("QUERY", "/books", { filter: { title: { eq } }, count: true })),
  graphqlList: draw([title, stars], (eq, gte) =>
    graphql(
      "query ($eq: String!, $gte: Int!) { books(first: 5, filter: { or: [{ title: { eq: $eq } }, { reviews: { some: { stars: { gte: $gte } } } }] }) { totalCount nodes { id reviews(first: 5, sort: [STARS_DESC]) { totalCount nodes { id book { title } } } tags(first: 5) { nodes { name books { totalCount } } } country { books(first: 5) { nodes { id } } } } } }",
      { eq, gte },
    ),
  ),
  graphqlItem: draw([id], (key) =>
    graphql(
      "query ($id: ID!) { book(id: $id) { title reviews { nodes { stars } } } review(id: $id) { stars book { title } } }",
      { id: key },
    ),
  ),
  graphqlAggregate: draw([title], (eq) =>
    graphql(
      "query ($eq: String!) { booksAggregate(filter: { title: { ne: $eq } }) { nodes { count sum { price } } } }",
      { eq },
    ),
  ),
  deletedRows: draw([fc.constantFrom("only", "with"), id], (deleted, key) => get(`/books/${key}?deleted=${deleted}`)),
  nestedDeletedRows: draw([fc.constantFrom("only", "with"), id], (deleted, own) =>
    get(`/books/${own}/reviews?deleted=${deleted}`),
  ),
  // Ids and times of entries differ between the worlds.
  history: draw([id], (key) => get(`/books/${key}/history?fields=by,operation,changes&count=true&page[size]=100`)),
  graphqlHistory: draw([id], (key) =>
    graphql(
      "query ($id: ID!) { book(id: $id) { history(first: 50) { totalCount nodes { by operation changes { field from to } } } } }",
      { id: key },
    ),
  ),
  filterByHistory: draw([quantifier, fc.constantFrom("create", "update", "delete")], (each, operation) =>
    get(`/books?filter[history][${each}][operation]=${operation}&count=true`),
  ),
  create: draw([isbn, title, fc.constantFrom("GB", null)], (value, name, code) =>
    write("POST", "/books", { isbn: value, title: name, price: 3, code }),
  ),
  createReview: draw([id, stars], (bookId, n) => write("POST", "/reviews", { bookId, stars: n })),
  createWithin: draw([id, stars], (key, n) => write("POST", `/books/${key}/reviews`, { stars: n })),
  createMany: draw([isbn, isbn, title], (one, other, name) =>
    write("POST", "/books", [one, other].map((value) => ({ isbn: value, title: name, price: 1, code: "GB" })) as never),
  ),
  graphqlCreate: draw([isbn, title], (value, name) =>
    graphql("mutation ($input: CreateBookInput!) { createBook(input: $input) { id title } }", {
      input: { isbn: value, title: name, price: 2, code: "GB" },
    }),
  ),
  createWithKey: draw([isbn, key], (value, one) => ({
    ...write("POST", "/books", { isbn: value, title: "Emma", price: 1, code: null }),
    key: one,
  })),
  graphqlCreateWithKey: draw([isbn, key], (value, one) =>
    graphql(
      "mutation ($input: CreateBookInput!, $key: String) { createBook(input: $input, idempotencyKey: $key) { id title } }",
      { input: { isbn: value, title: "Emma", price: 1, code: null }, key: one },
    ),
  ),
  update: draw([id, title, isbn], (key, name, value) => write("PATCH", `/books/${key}`, { title: name, isbn: value })),
  moveReview: draw([own, id], (key, bookId) => write("PATCH", `/reviews/${key}`, { bookId })),
  updateMany: draw([title, title], (eq, name) => write("PATCH", `/books?filter[title]=${eq}`, { title: name })),
  delete: draw([id], (key) => write("DELETE", `/books/${key}`)),
  deleteReview: draw([id], (key) => write("DELETE", `/reviews/${key}`)),
  deleteMany: draw([isbn], (eq) => write("DELETE", `/books?filter[isbn]=${eq}`)),
  graphqlDelete: draw([id], (key) => graphql("mutation ($id: ID!) { deleteReview(id: $id) { deleted } }", { id: key })),
  restore: draw([id], (key) => write("POST", `/books/${key}/restore`)),
  link: draw([own, id], (key, other) => write("PUT", `/books/${key}/tags/${other}`)),
  unlink: draw([own, id], (key, other) => write("DELETE", `/books/${key}/tags/${other}`)),
  audit: draw([id], (key) => write("POST", "/books/audit", { id: key })),
  rename: draw([id], (key) => write("POST", `/books/${key}/rename`)),
};
/** Doors that never let this caller through: it may neither read deleted rows nor restore them. */
export const CLOSED: ReadonlySet<string> = new Set(["deletedRows", "nestedDeletedRows", "restore"]);

export const asked: fc.Arbitrary<{ readonly door: string; readonly asked: Asked }> = fc
  .constantFrom(...Object.keys(DOORS))
  .chain((door) => (DOORS[door] as fc.Arbitrary<Asked>).map((one) => ({ door, asked: one })));
