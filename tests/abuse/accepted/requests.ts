/** A request as a client sends it; `round` makes writes differ. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly type?: string;
  readonly body?: unknown;
}

/** A request at the limits that is accepted, and the points that it costs. */
export interface Accepted {
  readonly name: string;
  readonly points: number;
  /** The expected points for a table with this many rows, if they depend on it. */
  readonly pointsOf?: (rows: number) => number;
  readonly ask: (round: number) => Sent;
  readonly isWrite?: true;
  /** Lists that the request reads. Default 1. */
  readonly lists?: number;
}

/** A request beyond the limits, and the code of its issue. */
export interface Refused {
  readonly name: string;
  readonly code: string;
  readonly ask: Accepted["ask"];
}

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const query = (path: string, body: object): Sent => ({ method: "QUERY", url: path, body });
const books = (filter: object, others: object = {}): Sent => query("/books", { filter, page: { size: 1 }, ...others });
const graphql = (text: string, variables: object = {}): Sent => ({
  method: "POST",
  url: "/graphql",
  body: { query: text, variables },
});

/** Matches no row, so that every row is compared with every text. */
const texts = (count: number): object => ({ or: times(count, (n) => ({ title: { icontains: `qq${n}` } })) });
const byName = { author: { name: { icontains: "qq" } } };
const nested = { not: { author: { books: { none: byName } } } };
const manyToMany = { tags: { none: { books: { every: { tags: { some: { name: { contains: "tag" } } } } } } } };
const textOperators = ["contains", "endsWith", "icontains", "istartsWith", "iendsWith", "startsWith"];
const LISTED = "query ($filter: BookFilter) { books(filter: $filter, first: 1) { nodes { id } } }";
const COUNTED = "query ($filter: BookFilter) { books(filter: $filter, first: 1) { totalCount nodes { id } } }";
const aliases = (count: number): string =>
  `query ($filter: BookFilter) { ${times(count, (n) => `b${n}: books(filter: $filter, first: 1) { nodes { id } }`).join(" ")} }`;

/** The same list in both styles costs the same. */
const inBothStyles = (name: string, points: number, filter: object): readonly Accepted[] => [
  { name: `${name}, REST`, points, ask: () => books(filter) },
  { name: `${name}, GraphQL`, points, ask: () => graphql(LISTED, { filter }) },
];

export const ACCEPTED: readonly Accepted[] = [
  { name: "a page", points: 1, ask: () => query("/books", { page: { size: 20 } }) },
  {
    name: "a page with a text search",
    points: 2,
    ask: () => books({ title: { icontains: "7" } }, { page: { size: 20 } }),
  },
  ...inBothStyles("nested relations", 4, { or: [nested] }),
  ...inBothStyles("nested relations in four branches", 13, { or: [nested, nested, nested, nested] }),
  ...inBothStyles("ten text searches", 16, texts(10)),
  ...inBothStyles("every text operator", 8, { or: textOperators.map((name) => ({ title: { [name]: "qq" } })) }),
  ...inBothStyles("a hundred comparisons", 11, { or: times(100, (n) => ({ price: { eq: 1_000 + n } })) }),
  { name: "three relations to many, counted, REST", points: 10, ask: () => books(manyToMany, { count: true }) },
  {
    name: "three relations to many, counted, GraphQL",
    points: 10,
    ask: () => graphql(COUNTED, { filter: manyToMany }),
  },
  {
    name: "ten texts that no row contains, counted",
    points: 31,
    ask: () => books({ and: times(10, (n) => ({ title: { notContains: `qq${n}` } })) }, { count: true }),
  },
  { name: "ten text searches, counted, REST", points: 31, ask: () => books(texts(10), { count: true }) },
  { name: "ten text searches, counted, GraphQL", points: 31, ask: () => graphql(COUNTED, { filter: texts(10) }) },
  { name: "many keys", points: 1, ask: () => books({ id: { in: times(250, (n) => n + 1) } }, { page: { size: 20 } }) },
  {
    name: "a `notIn` filter with many values, counted",
    points: 4,
    ask: () => books({ title: { notIn: times(250, (n) => `title ${n}`) } }, { page: { size: 20 }, count: true }),
  },
  {
    name: "links to text, counted",
    points: 6,
    ask: () => books({ tags: { some: { name: { icontains: "tag 9" } } } }, { page: { size: 20 }, count: true }),
  },
  { name: "a deep page", points: 5, ask: () => ({ method: "GET", url: "/books?page[offset]=10000" }) },
  {
    name: "a deep page of a list with ties",
    points: 5,
    ask: () => ({ method: "GET", url: "/books?page[offset]=10000&sort=-status,title" }),
  },
  {
    name: "a deep page in the order of a relation",
    points: 8,
    ask: () => ({ method: "GET", url: "/books?page[offset]=10000&sort=author.name,title" }),
  },
  {
    name: "a counted page in the order of a relation",
    points: 4,
    ask: () => ({ method: "GET", url: "/books?count=true&sort=author.name,title" }),
  },
  {
    name: "a filter of a relation, for a hundred parents",
    points: 23,
    ask: () =>
      query("/authors", {
        page: { size: 100 },
        include: ["books"],
        rel: { books: { filter: { title: { icontains: "qq" } }, page: { size: 20 } } },
      }),
  },
  {
    name: "a filter of a relation with totals, for fifty parents",
    points: 19,
    ask: () =>
      graphql(
        '{ authors(first: 50) { nodes { books(first: 20, filter: { title: { icontains: "9" } }) { totalCount nodes { id } } } } }',
      ),
  },
  { name: "aliases of one list", points: 48, lists: 3, ask: () => graphql(aliases(3), { filter: texts(10) }) },
  {
    name: "a batch of lists",
    points: 48,
    lists: 3,
    ask: () => ({
      method: "POST",
      url: "/graphql",
      body: times(3, () => ({ query: LISTED, variables: { filter: texts(10) } })),
    }),
  },
  {
    name: "a bulk update by a text search",
    points: 3,
    isWrite: true,
    ask: (round) => ({
      method: "PATCH",
      url: "/books?filter[title][icontains]=number 42&filter[price]=5",
      body: { status: `printed ${round}` },
    }),
  },
  {
    name: "a bulk update by nested relations",
    points: 5,
    isWrite: true,
    ask: (round) =>
      graphql(
        "mutation ($filter: BookFilter!, $input: UpdateBookInput!) { updateBooks(filter: $filter, input: $input) { count } }",
        {
          filter: { id: { in: times(100, (n) => n + 1) }, author: { books: { none: byName } } },
          input: { status: `sold ${round}` },
        },
      ),
  },
  {
    name: "a bulk deletion",
    points: 2,
    isWrite: true,
    ask: (round) => ({
      method: "DELETE",
      url: `/books?${times(50, (n) => `filter[id][in]=${round * 50 + n + 1}`).join("&")}`,
    }),
  },
  {
    name: "a delete with every row that references it",
    points: 2,
    // A hundredth of the books is deleted with its author: one point for every 50.
    pointsOf: (rows) => 1 + Math.ceil(rows / 100 / 50),
    isWrite: true,
    ask: (round) => ({ method: "DELETE", url: `/authors/${90 - round}` }),
  },
  {
    name: "a JSON Patch of a thousand steps",
    // One point for reading the row, and one for writing it.
    points: 2,
    isWrite: true,
    ask: (round) => ({
      method: "PATCH",
      url: "/books/199",
      type: "application/json-patch+json",
      body: times(1_000, (n) => ({ op: "add", path: `/data/k${n % 500}`, value: round })),
    }),
  },
];

export const REFUSED: readonly Refused[] = [
  { name: "eleven text searches", code: "too_many_scans", ask: () => books(texts(11)) },
  { name: "forty text searches", code: "too_many_scans", ask: () => books(texts(40)) },
  { name: "a hundred text searches", code: "too_many_scans", ask: () => books(texts(100)) },
  {
    name: "nested relations in eleven branches",
    code: "too_many_scans",
    ask: () => books({ or: times(11, () => nested) }),
  },
  {
    name: "fifty relations to many",
    code: "too_costly",
    ask: () => books({ or: times(50, (n) => ({ tags: { some: { id: n } } })) }),
  },
  {
    name: "more aliases of a list than the cost limit allows",
    code: "too_costly",
    ask: () => graphql(aliases(10), { filter: texts(10) }),
  },
];
