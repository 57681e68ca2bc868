import fc from "fast-check";
import { idOf } from "./library.ts";

/** A read, independent of a style's syntax. */
export interface Question {
  readonly resource: "author" | "book" | "review" | "tag" | "shelf" | "copy" | "till" | "sale";
  readonly id: string | undefined;
  /** The query of the application that finds the rows of a list. */
  readonly query: NamedQuery | undefined;
  readonly filter: FilterTree | undefined;
  readonly search: string | undefined;
  readonly sort: readonly string[];
  readonly size: number;
  readonly offset: number | undefined;
  readonly want: Want;
}

export type NamedQuery =
  | { readonly name: "since"; readonly year: number; readonly genres: readonly string[] }
  | { readonly name: "alike"; readonly id: string };

export type FilterTree = { readonly [key: string]: unknown };

/** The data to read: fields, and relations with their own list parameters. */
export interface Want {
  readonly fields: readonly string[];
  readonly relations: readonly RelationWant[];
}

export interface RelationWant {
  readonly name: string;
  readonly many: boolean;
  readonly filter: FilterTree | undefined;
  readonly search: string | undefined;
  readonly sort: readonly string[];
  readonly size: number | undefined;
  readonly want: Want;
  /** Whether the rows of a to-many relation are counted. */
  readonly counted: boolean;
}

interface Shape {
  readonly fields: readonly string[];
  readonly filters: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  readonly sorts: readonly string[];
  readonly toOne: Readonly<Record<string, Question["resource"] | "memo">>;
  readonly toMany: Readonly<Record<string, Question["resource"] | "memo">>;
}

const text = fc.constantFrom("Emma 1", "Zoo 2", "ash", "tag 1", "text 3", "memo 1", "A&=[]% \"'\\n");
const textFilter = fc.oneof(
  fc.record({ contains: text }),
  fc.record({ notContains: text }),
  fc.record({ istartsWith: fc.constantFrom("e", "Z", "A", "te") }),
  fc.record({ in: fc.array(text, { minLength: 1, maxLength: 3 }) }),
  fc.record({ ne: text }),
);
const numberFilter = (values: fc.Arbitrary<number>) =>
  fc.oneof(
    fc.record({ gte: values }),
    fc.record({ lt: values, gt: values }),
    fc.record({ between: fc.tuple(values, values) }),
    fc.record({ isNull: fc.boolean() }),
  );

const amount = fc.constantFrom("-3.00", "0", "1.05", "2.4", "9.15", "9007199254740993.01", "-0.3");
const decimalFilter = fc.oneof(
  fc.record({ gte: amount }),
  fc.record({ lt: amount, gt: amount }),
  fc.record({ between: fc.tuple(amount, amount) }),
  fc.record({ in: fc.array(amount, { minLength: 1, maxLength: 3 }) }),
  fc.record({ ne: amount }),
);

const SHAPES: Readonly<Record<Question["resource"] | "memo", Shape>> = {
  author: {
    fields: ["id", "name", "email", "born", "initial", "domain", "bookCount", "dearest"],
    filters: {
      name: textFilter,
      email: fc.record({ endsWith: text }),
      born: numberFilter(fc.integer({ min: 1899, max: 1906 })),
      bookCount: numberFilter(fc.integer({ min: 0, max: 6 })),
      dearest: numberFilter(fc.constantFrom(0, 5, 12.5)),
    },
    sorts: ["name", "-born", "email", "-bookCount", "dearest"],
    toOne: {},
    toMany: { books: "book" },
  },
  book: {
    fields: [
      "id",
      "title",
      "authorId",
      "price",
      "genre",
      "publishedAt",
      "isbn",
      "reviewCount",
      "goodReviews",
      "stars",
      "isCheap",
    ],
    filters: {
      title: textFilter,
      price: numberFilter(fc.constantFrom(0, 2.5, 5, 7.25)),
      genre: fc.record({ in: fc.subarray(["novel", "poem"], { minLength: 1 }) }),
      publishedAt: fc.record({ lt: fc.constantFrom("2012-01-01", "2015-06-01") }),
      goodReviews: numberFilter(fc.integer({ min: 0, max: 3 })),
    },
    sorts: [
      "title",
      "-goodReviews",
      "-price",
      "publishedAt",
      "-publishedAt",
      "author.name",
      "-author.born",
      "author.email",
    ],
    toOne: { author: "author" },
    toMany: { reviews: "review", memos: "memo", tags: "tag", copies: "copy" },
  },
  review: {
    fields: ["id", "bookId", "stars", "text", "hidden"],
    filters: { stars: numberFilter(fc.integer({ min: 1, max: 5 })), text: textFilter },
    sorts: ["stars", "-stars", "book.title"],
    toOne: { book: "book" },
    toMany: {},
  },
  memo: { fields: ["id", "text"], filters: { text: textFilter }, sorts: [], toOne: {}, toMany: {} },
  tag: {
    fields: ["id", "name"],
    filters: { name: textFilter },
    sorts: ["name", "-name"],
    toOne: {},
    toMany: { books: "book", shelves: "shelf" },
  },
  shelf: {
    fields: ["room", "slot", "label", "locked"],
    filters: {
      slot: fc.record({ in: fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 3 }) }),
      label: textFilter,
    },
    sorts: ["label", "-slot"],
    toOne: {},
    toMany: { copies: "copy", tags: "tag" },
  },
  copy: {
    fields: ["id", "isbn", "room", "slot"],
    filters: { room: fc.record({ ne: fc.constantFrom("a", ",") }), isbn: fc.record({ isNull: fc.boolean() }) },
    sorts: ["slot", "-isbn", "book.title", "shelf.label"],
    toOne: { book: "book", shelf: "shelf" },
    toMany: {},
  },
  till: {
    fields: ["id", "name", "revenue", "average", "least", "largest"],
    filters: { revenue: decimalFilter, average: decimalFilter, largest: decimalFilter },
    sorts: ["-revenue", "average", "least", "name"],
    toOne: {},
    toMany: { sales: "sale" },
  },
  sale: {
    fields: ["id", "tillId", "amount", "fee"],
    filters: { amount: decimalFilter, fee: fc.record({ gte: fc.constantFrom("0.1", "0.105", "0.42") }) },
    sorts: ["amount", "-amount", "-fee", "till.name"],
    toOne: { till: "till" },
    toMany: {},
  },
};

/** Words of titles, names and addresses, which only some callers can read. */
function searchOf(resource: keyof typeof SHAPES): fc.Arbitrary<string | undefined> {
  if (resource !== "author" && resource !== "book") return fc.constant(undefined);
  const word = fc.constantFrom("emma", "EM", "1", "2", "zoo", "ash", "example", "a", "é");
  const words = fc.oneof(
    { weight: 3, arbitrary: word },
    fc.tuple(word, word).map((all) => all.join(" ")),
  );
  return fc.option(words, { nil: undefined, freq: 2 });
}

function filterOf(resource: keyof typeof SHAPES, depth: number): fc.Arbitrary<FilterTree> {
  const shape = SHAPES[resource];
  const own = Object.entries(shape.filters).map(([name, values]) =>
    values.map((value): FilterTree => ({ [name]: value })),
  );
  if (depth === 0) return fc.oneof(...own);
  const toOne = Object.entries(shape.toOne).map(([name, target]) =>
    filterOf(target, 0).map((inner): FilterTree => ({ [name]: inner })),
  );
  const toMany = Object.entries(shape.toMany).map(([name, target]) =>
    fc
      .tuple(fc.constantFrom("some", "every", "none"), filterOf(target, 0))
      .map(([quantifier, inner]): FilterTree => ({ [name]: { [quantifier]: inner } })),
  );
  const inner = filterOf(resource, depth - 1);
  return fc.oneof(
    ...own,
    ...toOne,
    ...toMany,
    fc.array(inner, { minLength: 1, maxLength: 2 }).map((all): FilterTree => ({ or: all })),
    fc.array(inner, { minLength: 1, maxLength: 2 }).map((all): FilterTree => ({ and: all })),
    inner.map((one): FilterTree => ({ not: one })),
  );
}

function wantOf(resource: keyof typeof SHAPES, depth: number): fc.Arbitrary<Want> {
  const shape = SHAPES[resource];
  const fields = fc.subarray([...shape.fields], { minLength: 1 });
  if (depth === 0) return fields.map((names) => ({ fields: names, relations: [] }));
  const relations = [
    ...Object.entries(shape.toOne).map(([name, target]) =>
      wantOf(target, depth - 1).map(
        (want): RelationWant => ({
          name,
          many: false,
          filter: undefined,
          search: undefined,
          sort: [],
          size: undefined,
          counted: false,
          want,
        }),
      ),
    ),
    ...Object.entries(shape.toMany).map(([name, target]) =>
      fc
        .record({
          filter: fc.option(filterOf(target, 0), { nil: undefined }),
          search: searchOf(target),
          sort: fc.subarray([...SHAPES[target].sorts], { maxLength: Math.min(1, SHAPES[target].sorts.length) }),
          size: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
          counted: fc.boolean(),
          want: wantOf(target, 0),
        })
        .map((parts): RelationWant => ({ name, many: true, ...parts })),
    ),
  ];
  const chosen = fc.tuple(...relations.map((one) => fc.option(one, { nil: undefined, freq: 2 })));
  return fc
    .tuple(fields, chosen)
    .map(([names, all]) => ({ fields: names, relations: all.filter((one) => one !== undefined) }));
}

function questionOf(resource: Question["resource"], kind: number): fc.Arbitrary<Question> {
  const id = fc.integer({ min: 0, max: 25 }).map((n) => (resource === "shelf" ? shelfId(n % 9) : idOf(kind, n)));
  return fc
    .record({
      resource: fc.constant(resource),
      id: fc.option(id, { nil: undefined, freq: 3 }),
      query: resource === "book" ? fc.option(namedQuery, { nil: undefined, freq: 3 }) : fc.constant(undefined),
      filter: fc.option(filterOf(resource, 1), { nil: undefined }),
      search: searchOf(resource),
      sort: fc
        .subarray([...SHAPES[resource].sorts], { maxLength: Math.min(2, SHAPES[resource].sorts.length) })
        .map((terms) =>
          terms.filter((term, index) => terms.findIndex((other) => bare(other) === bare(term)) === index),
        ),
      size: fc.integer({ min: 1, max: 8 }),
      offset: fc.option(fc.integer({ min: 0, max: 10 }), { nil: undefined }),
      want: wantOf(resource, 2),
    })
    .map((one) => (one.query === undefined ? one : foundByQuery(one)))
    .map((one) => (one.search === undefined || one.size > 4 ? one : foundBySearch(one)));
}

/** Half of them have no other conditions. */
function foundByQuery(asked: Question): Question {
  const free = asked.size > 4 ? {} : { filter: undefined, search: undefined };
  return { ...asked, id: undefined, offset: undefined, ...free };
}

const namedQuery: fc.Arbitrary<NamedQuery> = fc.oneof(
  fc.record({
    name: fc.constant("since" as const),
    year: fc.integer({ min: 2008, max: 2014 }),
    genres: fc.subarray(["novel", "poem", "essay"]),
  }),
  fc.record({ name: fc.constant("alike" as const), id: fc.integer({ min: 0, max: 25 }).map((n) => idOf(2, n)) }),
);

/** Without other conditions, most searches find rows. */
function foundBySearch(asked: Question): Question {
  return { ...asked, id: undefined, filter: undefined, offset: undefined };
}

/** The id of a shelf in a URL: its parts are percent-encoded. */
function shelfId(n: number): string {
  return `${encodeURIComponent("ab,%"[n % 4] as string)},${n}`;
}

/** A list is sorted by each path at most once. */
function bare(term: string): string {
  return term.replace(/^-/, "");
}

export const question: fc.Arbitrary<Question> = fc.oneof(
  { weight: 3, arbitrary: questionOf("author", 1) },
  { weight: 3, arbitrary: questionOf("book", 2) },
  { weight: 3, arbitrary: questionOf("review", 3) },
  { weight: 3, arbitrary: questionOf("tag", 5) },
  { weight: 1, arbitrary: questionOf("shelf", 0) },
  { weight: 1, arbitrary: questionOf("copy", 6) },
  { weight: 1, arbitrary: questionOf("till", 7) },
  { weight: 2, arbitrary: questionOf("sale", 8) },
);
