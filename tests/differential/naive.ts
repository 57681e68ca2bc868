// A minimal GraphQL server over the same rows: graphql-js with one resolver per field, arrays, no plan and no index.
import type { Operator } from "@bifocal/core/store";
import {
  buildSchema,
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

const RELATIONS: Readonly<Record<string, Readonly<Record<string, Relation>>>> = {
  author: { books: owned("book", "authorId") },
  book: {
    author: owner("author", "authorId"),
    reviews: owned("review", "bookId"),
    memos: owned("memo", "bookId"),
    tags: linked("tag", "bookId", "tagId"),
  },
  review: { book: owner("book", "bookId") },
  memo: {},
  tag: { books: linked("book", "tagId", "bookId") },
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
};

/** A missing value is neither less, greater nor equal (docs/adr/0001). */
function compares(value: unknown, operator: Compared | "isNull", operand: unknown): boolean {
  if (operator === "isNull") return (value === null) === operand;
  if (operand === null) return (value === null) === (operator === "eq");
  if (value === null) return operator === "ne" || operator === "notIn" || operator === "notContains";
  return OPERATORS[operator](value, operand as never);
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
  const order = [...(sort ?? []).map((term) => comparer(rows, resource, term)), comparer(rows, resource, "ID_ASC")];
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

export type Ask = (query: string, variables: Tree) => Promise<unknown>;

/** A server for the same schema with the simplest possible resolvers. */
export function naiveServer(schema: GraphQLSchema, rows: Rows): Ask {
  const naive = buildSchema(printSchema(schema));
  const types: Readonly<Record<string, string>> = {
    Author: "author",
    Book: "book",
    Review: "review",
    Memo: "memo",
    Tag: "tag",
  };
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
    const [one, many] = [query[resource], query[`${resource}s`]];
    if (one !== undefined) one.resolve = (_, { id }) => rows[resource]?.find((row) => row["id"] === id) ?? null;
    if (many !== undefined)
      many.resolve = (_, args) => connection(rows, resource, rows[resource] ?? [], args as ListArguments);
  }
  return (source, variableValues) => graphql({ schema: naive, source, variableValues });
}
