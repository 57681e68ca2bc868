// A minimal GraphQL server over the same rows: graphql-js with one resolver per field, arrays, no plan and no index.
import type { Operator } from "@bifocal/core/store";
import {
  buildSchema,
  type GraphQLField,
  type GraphQLFieldResolver,
  graphql,
  type GraphQLSchema,
  isObjectType,
  printSchema,
} from "graphql";

type Row = Readonly<Record<string, unknown>>;
type Rows = Readonly<Record<string, readonly Row[]>>;
type Tree = Readonly<Record<string, unknown>>;

interface Relation {
  readonly target: string;
  readonly many: boolean;
  readonly of: (rows: Rows, row: Row) => readonly Row[];
}

const owner = (target: string, field: string): Relation => ({
  target,
  many: false,
  of: (rows, row) => (rows[target] ?? []).filter(({ id }) => id === row[field]),
});
const owned = (target: string, field: string): Relation => ({
  target,
  many: true,
  of: (rows, row) => (rows[target] ?? []).filter((other) => other[field] === row["id"]),
});
const linked = (target: string, near: string, far: string): Relation => ({
  target,
  many: true,
  of: (rows, row) => {
    const ids = (rows["book_tag"] ?? []).filter((link) => link[near] === row["id"]).map((link) => link[far]);
    return (rows[target] ?? []).filter(({ id }) => ids.includes(id));
  },
});

/** Rows in which these fields have the same values, none of them null. */
const sharing = (target: string, many: boolean, names: readonly string[]): Relation => ({
  target,
  many,
  of: (rows, row) =>
    names.some((name) => row[name] === null)
      ? []
      : (rows[target] ?? []).filter((other) => names.every((name) => other[name] === row[name])),
});
const onShelf = (link: Row, shelf: Row): boolean =>
  link["shelfRoom"] === shelf["room"] && link["shelfSlot"] === shelf["slot"];
const linksOfShelves = (rows: Rows): readonly Row[] => rows["shelf_tag"] ?? [];

const RELATIONS: Readonly<Record<string, Readonly<Record<string, Relation>>>> = {
  author: { books: owned("book", "authorId") },
  book: {
    author: owner("author", "authorId"),
    reviews: owned("review", "bookId"),
    memos: owned("memo", "bookId"),
    tags: linked("tag", "bookId", "tagId"),
    copies: sharing("copy", true, ["isbn"]),
  },
  review: { book: owner("book", "bookId") },
  memo: {},
  tag: {
    books: linked("book", "tagId", "bookId"),
    shelves: {
      target: "shelf",
      many: true,
      of: (rows, { id }) =>
        (rows["shelf"] ?? []).filter((shelf) =>
          linksOfShelves(rows).some((link) => link["tagId"] === id && onShelf(link, shelf)),
        ),
    },
  },
  shelf: {
    copies: sharing("copy", true, ["room", "slot"]),
    tags: {
      target: "tag",
      many: true,
      of: (rows, shelf) =>
        (rows["tag"] ?? []).filter(({ id }) =>
          linksOfShelves(rows).some((link) => link["tagId"] === id && onShelf(link, shelf)),
        ),
    },
  },
  copy: { book: sharing("book", false, ["isbn"]), shelf: sharing("shelf", false, ["room", "slot"]) },
};

const fold = (text: unknown): string => String(text).toLowerCase();

type Compared = Exclude<Operator, "isNull" | "has" | "hasSome" | "hasEvery">;
const OPERATORS: Readonly<Record<Compared, (value: unknown, operand: never) => boolean>> = {
  eq: (value, operand) => value === operand,
  ne: (value, operand) => value !== operand,
  in: (value, operand: readonly unknown[]) => operand.includes(value),
  notIn: (value, operand: readonly unknown[]) => !operand.includes(value),
  lt: (value, operand) => (value as number) < operand,
  lte: (value, operand) => (value as number) <= operand,
  gt: (value, operand) => (value as number) > operand,
  gte: (value, operand) => (value as number) >= operand,
  between: (value, [from, to]: [never, never]) => (value as number) >= from && (value as number) <= to,
  contains: (value, operand: string) => String(value).includes(operand),
  notContains: (value, operand: string) => !String(value).includes(operand),
  startsWith: (value, operand: string) => String(value).startsWith(operand),
  endsWith: (value, operand: string) => String(value).endsWith(operand),
  icontains: (value, operand: string) => fold(value).includes(fold(operand)),
  istartsWith: (value, operand: string) => fold(value).startsWith(fold(operand)),
  iendsWith: (value, operand: string) => fold(value).endsWith(fold(operand)),
  hasWord: (value, operand: string) => fold(value).split(/\W+/).includes(operand),
  hasWordStart: (value, operand: string) =>
    fold(value)
      .split(/\W+/)
      .some((word) => word.startsWith(operand)),
};

function toNumbers(operand: unknown): unknown {
  if (Array.isArray(operand)) return operand.map(toNumbers);
  return typeof operand === "string" ? Number(operand) : operand;
}

/** A missing value is neither less, greater nor equal (docs/adr/0001). */
function compares(value: unknown, operator: Compared | "isNull", operand: unknown): boolean {
  if (operator === "isNull") return (value === null) === operand;
  if (operand === null) return (value === null) === (operator === "eq");
  if (value === null) return operator === "ne" || operator === "notIn" || operator === "notContains";
  // A part of a key is an ID, which is text.
  const given = typeof value === "number" ? toNumbers(operand) : operand;
  return OPERATORS[operator](value, given as never);
}

function matches(rows: Rows, resource: string, filter: Tree, row: Row): boolean {
  return Object.entries(filter).every(([name, inner]) => {
    if (name === "and") return (inner as Tree[]).every((one) => matches(rows, resource, one, row));
    if (name === "or") return (inner as Tree[]).some((one) => matches(rows, resource, one, row));
    if (name === "not") return !matches(rows, resource, inner as Tree, row);
    const relation = RELATIONS[resource]?.[name];
    if (relation === undefined) {
      return Object.entries(inner as Tree).every(([operator, operand]) =>
        compares(row[name], operator as Compared, operand),
      );
    }
    const related = relation.of(rows, row);
    const fits = (one: Tree) => (other: Row) => matches(rows, relation.target, one, other);
    if (!relation.many) return related.some(fits(inner as Tree));
    return Object.entries(inner as Tree).every(([quantifier, one]) => {
      if (quantifier === "some") return related.some(fits(one as Tree));
      if (quantifier === "every") return related.every(fits(one as Tree));
      return !related.some(fits(one as Tree));
    });
  });
}

/** Returns the values of `author.name` in descending order for `AUTHOR_NAME_DESC`. */
function comparer(rows: Rows, resource: string, term: string): (a: Row, b: Row) => number {
  const parts = term.toLowerCase().split("_");
  const sign = parts.pop() === "desc" ? -1 : 1;
  const toOne = parts.length > 1 ? RELATIONS[resource]?.[parts[0] as string] : undefined;
  const names = toOne === undefined ? parts : parts.slice(1);
  const name = names.map((part, index) => (index === 0 ? part : part[0]?.toUpperCase() + part.slice(1))).join("");
  const value = (row: Row): unknown => (toOne === undefined ? row : toOne.of(rows, row)[0])?.[name] ?? null;
  return (one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === b) return 0;
    // Nulls sort last, both ascending and descending.
    if (a === null || b === null) return a === null ? sign : -sign;
    return ((a as number) < (b as number) ? -1 : 1) * sign;
  };
}

interface ListArguments {
  readonly filter?: Tree | null;
  readonly sort?: readonly string[] | null;
  readonly first?: number | null;
  readonly last?: number | null;
  readonly offset?: number | null;
}

function connection(rows: Rows, resource: string, all: readonly Row[], args: ListArguments): object {
  const { filter, sort, first, last, offset } = args;
  const key = resource === "shelf" ? ["ROOM_ASC", "SLOT_ASC"] : ["ID_ASC"];
  const order = [...(sort ?? []), ...key].map((term) => comparer(rows, resource, term));
  const found = all
    .filter((row) => filter === null || filter === undefined || matches(rows, resource, filter, row))
    .sort((a, b) => order.reduce((difference, compare) => difference || compare(a, b), 0));
  const start = last === null || last === undefined ? (offset ?? 0) : Math.max(0, found.length - last);
  const nodes = found.slice(start, start + (last ?? first ?? 20));
  return {
    nodes,
    edges: nodes.map((node) => ({ node })),
    totalCount: found.length,
    totalCountIsExact: true,
    pageInfo: { hasNextPage: start + nodes.length < found.length, hasPreviousPage: start > 0 },
  };
}

/** The parts of a key are joined by a comma. */
function idOf(row: Row): unknown {
  return row["id"] ?? [row["room"], row["slot"]].map((part) => encodeURIComponent(String(part))).join(",");
}

/** Returns the rows with their computed fields, which depend on rows only. */
function withComputed(rows: Rows): Rows {
  const related = (resource: string, relation: string, row: Row): readonly Row[] =>
    RELATIONS[resource]?.[relation]?.of(rows, row) ?? [];
  const numbers = (all: readonly Row[], name: string): readonly number[] => all.map((row) => row[name] as number);
  const author = (rows["author"] ?? []).map((row) => {
    const books = related("author", "books", row);
    return {
      ...row,
      initial: String(row["name"]).slice(0, 1),
      domain: String(row["email"]).replace(/.*@/, ""),
      bookCount: books.length,
      dearest: books.length === 0 ? null : Math.max(...numbers(books, "price")),
    };
  });
  const book = (rows["book"] ?? []).map((row) => {
    const stars = numbers(related("book", "reviews", row), "stars");
    return {
      ...row,
      isCheap: (row["price"] as number) < 5,
      reviewCount: stars.length,
      goodReviews: stars.filter((one) => one >= 4).length,
      stars: stars.length === 0 ? null : stars.reduce((sum, one) => sum + one, 0) / stars.length,
    };
  });
  return { ...rows, author, book };
}

interface SinceArguments extends ListArguments {
  readonly year: number;
  readonly genres?: readonly string[] | null;
}

/** Sets the resolvers of the queries in the library. */
function resolveQueries(fields: Readonly<Record<string, GraphQLField<unknown, unknown>>>, rows: Rows): void {
  const books = rows["book"] ?? [];
  const list = (found: readonly Row[], args: ListArguments, sort: readonly string[]): object =>
    connection(rows, "book", found, { ...args, sort: args.sort ?? sort });
  const { sinceBooks, alikeBooks } = fields;
  if (sinceBooks !== undefined) {
    sinceBooks.resolve = (_, args) => {
      const { year, genres, ...others } = args as SinceArguments;
      const found = books.filter(
        ({ publishedAt, genre }) =>
          compares(publishedAt, "gte", `${year}-01-01`) &&
          (genres === undefined || genres === null || genres.includes(genre as string)),
      );
      return list(found, others, ["PUBLISHED_AT_DESC", "AUTHOR_NAME_ASC"]);
    };
  }
  if (alikeBooks !== undefined) {
    alikeBooks.resolve = (_, { id, ...others }) => {
      const book = books.find((row) => row["id"] === id);
      if (book === undefined) return null;
      const found = books.filter((one) => one["genre"] === book["genre"] && one["authorId"] !== book["authorId"]);
      return list(found, others as ListArguments, ["TITLE_ASC"]);
    };
  }
}

export type Ask = (query: string, variables: Tree) => Promise<unknown>;

/** A server for the same schema with the simplest possible resolvers. */
export function naiveServer(schema: GraphQLSchema, given: Rows): Ask {
  const shelf = (given["shelf"] ?? []).map((row) => ({ ...row, id: idOf(row) }));
  const rows = withComputed({ ...given, shelf });
  const naive = buildSchema(printSchema(schema));
  const types: Readonly<Record<string, string>> = {
    Author: "author",
    Book: "book",
    Review: "review",
    Memo: "memo",
    Tag: "tag",
    Shelf: "shelf",
    Copy: "copy",
  };
  const plurals: Readonly<Record<string, string>> = { shelf: "shelves", copy: "copies" };
  for (const [typeName, resource] of Object.entries(types)) {
    const type = naive.getType(typeName);
    if (!isObjectType(type)) throw new Error(`Unknown type ${typeName}.`);
    for (const [name, { target, many, of }] of Object.entries(RELATIONS[resource] ?? {})) {
      const field = type.getFields()[name];
      if (field === undefined) throw new Error(`Unknown field ${typeName}.${name}.`);
      const resolve: GraphQLFieldResolver<Row, unknown> = (row, args) =>
        many ? connection(rows, target, of(rows, row), args as ListArguments) : (of(rows, row)[0] ?? null);
      field.resolve = resolve as GraphQLFieldResolver<unknown, unknown>;
    }
  }
  const query = naive.getQueryType()?.getFields() ?? {};
  for (const resource of Object.values(types)) {
    const [one, many] = [query[resource], query[plurals[resource] ?? `${resource}s`]];
    if (one !== undefined) one.resolve = (_, { id }) => rows[resource]?.find((row) => idOf(row) === id) ?? null;
    if (many !== undefined)
      many.resolve = (_, args) => connection(rows, resource, rows[resource] ?? [], args as ListArguments);
  }
  resolveQueries(query, rows);
  return (source, variableValues) => graphql({ schema: naive, source, variableValues });
}
