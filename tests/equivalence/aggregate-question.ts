import fc from "fast-check";
import { idOf } from "./library.ts";

/** A request for groups, independent of a style's syntax. */
export interface AggregateQuestion {
  readonly resource: "author" | "book" | "review" | "sale";
  /** The row whose relation is aggregated. */
  readonly id: string | undefined;
  /** True if the groups are requested together with the row. */
  readonly isEmbedded: boolean;
  readonly measures: readonly string[];
  readonly group: readonly string[];
  readonly having: readonly Condition[];
  readonly sort: readonly string[];
  readonly filter: Condition | undefined;
  readonly search: string | undefined;
  readonly size: number;
  readonly offset: number | undefined;
}

interface Condition {
  readonly name: string;
  readonly operator: string;
  readonly value: number | string;
}

interface Shape {
  readonly path: string;
  readonly field: string;
  readonly measures: readonly string[];
  readonly groups: readonly string[];
  readonly filter: string;
  /** Words to search for. */
  readonly words: readonly string[];
  /** The relation that leads to the rows, and the kind of its rows' ids. */
  readonly along: { readonly path: string; readonly field: string; readonly relation: string; readonly kind: number };
}

const SHAPES: Readonly<Record<AggregateQuestion["resource"], Shape>> = {
  author: {
    path: "/authors",
    field: "authorsAggregate",
    // Anonymous callers can't read `email`.
    measures: ["count", "sum.born", "avg.born", "max.name", "max.email"],
    groups: ["name", "born"],
    filter: "born",
    words: ["emma", "a", "1", "example"],
    along: { path: "/authors", field: "author", relation: "books", kind: 1 },
  },
  book: {
    path: "/books",
    field: "booksAggregate",
    measures: ["count", "sum.price", "avg.price", "min.price", "max.publishedAt", "min.title"],
    groups: ["genre", "authorId", "author.name", "author.born", "publishedAt.year", "publishedAt"],
    filter: "price",
    words: ["emma", "EM", "a", "zoo 1", "example"],
    along: { path: "/authors", field: "author", relation: "books", kind: 1 },
  },
  review: {
    path: "/reviews",
    field: "reviewsAggregate",
    measures: ["count", "sum.stars", "avg.stars", "max.stars", "min.text"],
    groups: ["stars", "bookId", "text", "book.genre", "book.publishedAt.year"],
    filter: "stars",
    words: [],
    along: { path: "/books", field: "book", relation: "reviews", kind: 2 },
  },
  sale: {
    path: "/sales",
    field: "salesAggregate",
    // Anonymous callers can't read `fee`.
    measures: ["count", "sum.amount", "avg.amount", "min.amount", "max.amount", "max.fee"],
    groups: ["tillId", "till.name", "amount"],
    filter: "amount",
    words: [],
    along: { path: "/tills", field: "till", relation: "sales", kind: 7 },
  },
};

const NUMERIC = /^(count|avg\.\w+|sum\.\w+|(min|max)\.(price|stars|amount))$/;
/** Decimals are texts. */
const DECIMAL = /amount$/;

function questionOf(resource: AggregateQuestion["resource"]): fc.Arbitrary<AggregateQuestion> {
  const { measures, groups, filter, words, along } = SHAPES[resource];
  const number = fc.constantFrom(0, 1, 2, 3, 5, 10, 1_904);
  const condition = (names: readonly string[]): fc.Arbitrary<Condition> =>
    fc
      .record({
        name: fc.constantFrom(...names),
        operator: fc.constantFrom("eq", "ne", "gte", "lt"),
        value: number,
      })
      .map((one): Condition => (DECIMAL.test(one.name) ? { ...one, value: `${one.value}.15` } : one));
  return fc
    .record({
      id: fc.option(
        fc.integer({ min: 0, max: 7 }).map((n) => idOf(along.kind, n)),
        { nil: undefined, freq: 2 },
      ),
      isEmbedded: fc.boolean(),
      measures: fc.subarray([...measures], { minLength: 1 }),
      group: fc.shuffledSubarray([...groups], { maxLength: 2 }),
      having: fc.oneof(
        { weight: 3, arbitrary: fc.constant<readonly Condition[]>([]) },
        {
          weight: 2,
          arbitrary: fc.uniqueArray(condition(measures.filter((name) => NUMERIC.test(name))), {
            minLength: 1,
            maxLength: 2,
            selector: ({ name }) => name,
          }),
        },
      ),
      sorted: fc.shuffledSubarray([...measures], { maxLength: 2 }),
      byGroup: fc.boolean(),
      descending: fc.boolean(),
      filter: fc.option(condition([filter]), { nil: undefined, freq: 2 }),
      search:
        words.length === 0 ? fc.constant(undefined) : fc.option(fc.constantFrom(...words), { nil: undefined, freq: 3 }),
      size: fc.integer({ min: 1, max: 8 }),
      offset: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    })
    .map(({ sorted, byGroup, descending, ...parts }) => {
      const names = [...(byGroup ? parts.group.slice(0, 1) : []), ...sorted];
      const isNested = parts.id !== undefined && resource !== "author";
      return {
        ...parts,
        resource,
        id: isNested ? parts.id : undefined,
        isEmbedded: isNested && parts.id !== undefined && parts.isEmbedded,
        sort: names.map((name, at) => (descending && at === 0 ? `-${name}` : name)),
      };
    });
}

export const aggregateQuestion: fc.Arbitrary<AggregateQuestion> = fc.oneof(
  questionOf("author"),
  questionOf("book"),
  questionOf("review"),
  questionOf("sale"),
);

/** The request as a URL. */
export function groupsUrl(question: AggregateQuestion): string {
  const { path, along } = SHAPES[question.resource];
  const parts = [
    `aggregate=${question.measures.join(",")}`,
    ...(question.group.length > 0 ? [`group=${question.group.join(",")}`] : []),
    ...question.having.map(({ name, operator, value }) => `having[${name}][${operator}]=${value}`),
    ...(question.sort.length > 0 ? [`sort=${question.sort.join(",")}`] : []),
    ...[question.filter].flatMap((one) =>
      one === undefined ? [] : [`filter[${one.name}][${one.operator}]=${one.value}`],
    ),
    ...(question.search === undefined ? [] : [`q=${encodeURIComponent(question.search)}`]),
    `page[size]=${question.size}`,
    ...(question.offset === undefined ? [] : [`page[offset]=${question.offset}`]),
  ];
  if (question.isEmbedded) {
    const own = parts.map((part) => part.replace(/^[a-z]+/, (name) => `rel[${along.relation}][${name}]`));
    return `${along.path}/${question.id}?fields=id&${own.join("&")}`;
  }
  const place = question.id === undefined ? path : `${along.path}/${question.id}/${along.relation}`;
  return `${place}?${parts.join("&")}`;
}

const constant = (name: string): string =>
  name
    .replaceAll(".", "_")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toUpperCase();

/** Returns the groups in a response to the URL. */
export function groupsIn({ isEmbedded, resource }: AggregateQuestion, body: unknown): unknown {
  if (!isEmbedded) return body;
  return (body as Readonly<Record<string, unknown>>)[`${SHAPES[resource].along.relation}@groups`];
}

/** The request as a GraphQL document. */
export function groupsDocument(question: AggregateQuestion): string {
  const { field, along } = SHAPES[question.resource];
  const operator = ({ operator: name, value }: Condition): string => `{ ${name}: ${JSON.stringify(value)} }`;
  const byFunction = new Map<string, string[]>();
  for (const one of question.having) {
    const [name = "", of] = one.name.split(".");
    byFunction.set(name, [
      ...(byFunction.get(name) ?? []),
      of === undefined ? operator(one) : `${of}: ${operator(one)}`,
    ]);
  }
  const having = [...byFunction].map(([name, all]) =>
    name === "count" ? `count: ${all[0]}` : `${name}: { ${all.join(" ")} }`,
  );
  const args = [
    ...(question.group.length > 0 ? [`groupBy: [${question.group.map(constant).join(" ")}]`] : []),
    ...(having.length > 0 ? [`having: { ${having.join(" ")} }`] : []),
    ...(question.sort.length > 0 ? [`sort: [${question.sort.map(sortEnum).join(" ")}]`] : []),
    ...[question.filter].flatMap((one) => (one === undefined ? [] : [`filter: { ${one.name}: ${operator(one)} }`])),
    ...(question.search === undefined ? [] : [`search: ${JSON.stringify(question.search)}`]),
    `first: ${question.size}`,
    ...(question.offset === undefined ? [] : [`offset: ${question.offset}`]),
  ];
  const keys = question.group.map((name) => name.replaceAll(/\.(.)/g, (_, letter: string) => letter.toUpperCase()));
  const group = keys.length === 0 ? "" : `group { ${keys.join(" ")} }`;
  const answer = (name: string): string =>
    `answer: ${name}(${args.join(", ")}) { totalCount nodes { ${group} ${selection(question.measures)} } }`;
  if (question.id === undefined) return `{ ${answer(field)} }`;
  const id = question.isEmbedded ? "id " : "";
  return `{ owner: ${along.field}(id: "${question.id}") { ${id}${answer(`${along.relation}Aggregate`)} } }`;
}

function sortEnum(term: string): string {
  return term.startsWith("-") ? `${constant(term.slice(1))}_DESC` : `${constant(term)}_ASC`;
}

function selection(measures: readonly string[]): string {
  const byFunction = new Map<string, string[]>();
  for (const measure of measures) {
    const [name = "", field] = measure.split(".");
    byFunction.set(name, [...(byFunction.get(name) ?? []), ...(field === undefined ? [] : [field])]);
  }
  return [...byFunction]
    .map(([name, fields]) => (name === "count" ? name : `${name} { ${fields.join(" ")} }`))
    .join(" ");
}
