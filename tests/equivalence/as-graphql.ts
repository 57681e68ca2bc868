import type { Question, Want } from "./question.ts";

const ONE = { author: "author", book: "book", review: "review", tag: "tag" } as const;
const MANY = { author: "authors", book: "books", review: "reviews", tag: "tags" } as const;

/** The read as a GraphQL document. */
export function asGraphql(question: Question): string {
  if (question.id !== undefined)
    return `{ answer: ${ONE[question.resource]}(id: "${question.id}") ${selection(question.want)} }`;
  const args = listArguments(question.filter, question.sort, question.size, question.offset);
  return `{ answer: ${MANY[question.resource]}${args} { nodes ${selection(question.want)} } }`;
}

function selection(want: Want): string {
  const relations = want.relations.map((relation) =>
    relation.many
      ? `${relation.name}${listArguments(relation.filter, relation.sort, relation.size, undefined)} { nodes ${selection(relation.want)} }`
      : `${relation.name} ${selection(relation.want)}`,
  );
  return `{ ${[...want.fields, ...relations].join(" ")} }`;
}

function listArguments(
  filter: unknown,
  sort: readonly string[],
  size: number | undefined,
  offset: number | undefined,
): string {
  const args: string[] = [];
  if (filter !== undefined) args.push(`filter: ${literal(filter)}`);
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
