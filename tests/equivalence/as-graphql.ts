import type { NamedQuery, Question, Want } from "./question.ts";

const MANY = {
  author: "authors",
  book: "books",
  review: "reviews",
  tag: "tags",
  shelf: "shelves",
  copy: "copies",
  till: "tills",
  sale: "sales",
} as const;

/** The read as a GraphQL document. */
export function asGraphql(question: Question): string {
  if (question.id !== undefined)
    return `{ answer: ${question.resource}(id: "${question.id}") ${selection(question.want)} }`;
  const { query } = question;
  const own = query === undefined ? [] : queryArguments(query);
  const args = listArguments(question, question.size, question.offset, own);
  const field = query === undefined ? MANY[question.resource] : `${query.name}Books`;
  return `{ answer: ${field}${args} { nodes ${selection(question.want)} } }`;
}

function queryArguments(query: NamedQuery): string[] {
  if (query.name === "alike") return [`id: "${query.id}"`];
  return [`year: ${query.year}`, ...(query.genres.length > 0 ? [`genres: [${query.genres.join(", ")}]`] : [])];
}

function selection(want: Want): string {
  const relations = want.relations.map((relation) =>
    relation.many
      ? `${relation.name}${listArguments(relation, relation.size, undefined)} { nodes ${selection(relation.want)}${relation.counted ? " totalCount" : ""} }`
      : `${relation.name} ${selection(relation.want)}`,
  );
  return `{ ${[...want.fields, ...relations].join(" ")} }`;
}

function listArguments(
  { filter, search, sort }: Pick<Question, "filter" | "search" | "sort">,
  size: number | undefined,
  offset: number | undefined,
  own: readonly string[] = [],
): string {
  const args = [...own];
  if (filter !== undefined) args.push(`filter: ${literal(filter)}`);
  if (search !== undefined) args.push(`search: ${JSON.stringify(search)}`);
  if (sort.length > 0) args.push(`sort: [${sort.map(sortEnum).join(", ")}]`);
  if (size !== undefined) args.push(`first: ${size}`);
  if (offset !== undefined) args.push(`offset: ${offset}`);
  return args.length > 0 ? `(${args.join(", ")})` : "";
}

function sortEnum(term: string): string {
  const path = term.replace(/^-/, "").split(".");
  const constant = path.map((part) => part.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()).join("_");
  return `${constant}_${term.startsWith("-") ? "DESC" : "ASC"}`;
}

/** A GraphQL literal. `genre` values are enum values, so they have no quotes. */
function literal(value: unknown, key = ""): string {
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, key)).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(
      ([name, inner]) => `${name}: ${literal(inner, name === "in" ? key : name)}`,
    );
    return `{ ${members.join(", ")} }`;
  }
  return key === "genre" ? String(value) : JSON.stringify(value);
}
