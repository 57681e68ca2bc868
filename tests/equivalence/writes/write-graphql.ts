import { type Outcome, send } from "./outcome.ts";
import type { Shop } from "./shop.ts";
import type { Resource, Step } from "./step.ts";

/** Selects every field that REST returns. */
const FIELDS = {
  author: "id name email rank",
  book: "id title isbn price fee isPublished authorId",
  note: "id bookId text",
  tag: "slug name revision kind",
} as const;
/** The fields that GraphQL writes as `ID` and REST as numbers. */
const NUMBERS: Readonly<Record<Resource, readonly string[]>> = {
  author: ["id"],
  book: ["id", "authorId"],
  note: ["id", "bookId"],
  tag: [],
};
const COUNTED = "{ count ids }";

interface GraphqlError {
  readonly message: string;
  readonly path?: readonly unknown[];
  readonly extensions?: { readonly code?: string; readonly errors?: readonly unknown[] };
}

interface GraphqlResponse {
  readonly data?: { readonly answer: unknown } | null;
  readonly errors?: readonly GraphqlError[];
  readonly extensions?: { readonly replayed?: readonly string[] };
}

export async function writeGraphql(shop: Shop, step: Step): Promise<Outcome> {
  const { name, declared, args, selection } = mutationOf(step);
  const given = step.kind === "update" ? { ...step, input: withSets(step.input) } : step;
  const variables = Object.fromEntries(Object.keys(declared).map((key) => [key, given[key as keyof Step]]));
  const head = Object.entries(declared).map(([key, type]) => `$${key}: ${type}`);
  const { key } = step;
  const own = key?.isArgument === true ? [...args, `idempotencyKey: ${JSON.stringify(key.value)}`] : args;
  const headers = key?.isArgument === false ? { "idempotency-key": `"${key.value}"` } : {};
  const query = `mutation (${head.join(", ")}) { answer: ${name}(${own.join(", ")}) ${selection} }`;
  const request = { method: "POST", path: "/graphql", headers, body: { query, variables } };
  const { json } = await send(shop, step, request);
  const { data, errors = [], extensions } = json as GraphqlResponse;
  // A field that the caller cannot read is null with an error. REST omits it.
  const [failed] = errors.filter(({ path = [] }) => path.length < 2);
  if (failed !== undefined) {
    const { code = "none", errors: issues = [] } = failed.extensions ?? {};
    return { code, detail: failed.message, issues };
  }
  const answer = structuredClone(data?.answer ?? null);
  for (const { path = [] } of errors) remove(answer, path.slice(1));
  return { data: toData(step, answer), isReplayed: extensions?.replayed !== undefined };
}

/** A list of links is `{ set: [...] }` in the update of GraphQL. */
function withSets(input: unknown): unknown {
  const { tags, books, ...fields } = input as Readonly<Record<string, unknown>>;
  const { update, ...others } = (books ?? {}) as { readonly update?: readonly unknown[] };
  return {
    ...fields,
    ...(tags === undefined ? {} : { tags: Array.isArray(tags) ? { set: tags } : tags }),
    ...(books === undefined ? {} : { books: { ...others, ...(update && { update: update.map(withSets) }) } }),
  };
}

function mutationOf({ kind, resource, ifMatch, ifNoneMatch }: Step) {
  const type = `${resource[0]?.toUpperCase()}${resource.slice(1)}`;
  const selection = `{ ${FIELDS[resource]} }`;
  const given = {
    ...(ifMatch === undefined ? {} : { ifMatch: "String" }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch: "String" }),
  };
  const isSearched = resource === "book";
  const condition = isSearched ? { filter: `${type}Filter`, search: "String" } : { filter: `${type}Filter!` };
  const of = (name: string, declared: Record<string, string>, selected: string) => ({
    name,
    declared: { ...declared, ...given },
    args: Object.keys({ ...declared, ...given }).map((key) => `${key === "tag" ? "tagId" : key}: $${key}`),
    selection: selected,
  });
  switch (kind) {
    case "create":
      return of(`create${type}`, { input: `Create${type}Input!` }, selection);
    case "createMany":
      return of(`create${type}s`, { input: `[Create${type}Input!]!` }, selection);
    case "replace":
      return of(`replace${type}`, { id: "ID!", input: `Replace${type}Input!` }, selection);
    case "update":
      return of(`update${type}`, { id: "ID!", input: `Update${type}Input!` }, selection);
    case "updateMany":
      return of(`update${type}s`, { ...condition, input: `Update${type}Input!` }, COUNTED);
    case "delete":
      return of(`delete${type}`, { id: "ID!" }, "{ deleted id }");
    case "deleteMany":
      return of(`delete${type}s`, condition, COUNTED);
    case "link":
      return of("linkBookTag", { id: "ID!", tag: "ID!" }, "{ id }");
    case "unlink":
      return of("unlinkBookTag", { id: "ID!", tag: "ID!" }, "{ id }");
    case "publish":
      return of("publishBook", { id: "ID!", input: "PublishBookInput!" }, selection);
    case "raise":
      return of("raiseBooks", { input: "RaiseBooksInput!" }, "{ raised }");
  }
}

function remove(value: unknown, path: readonly unknown[]): void {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[String(key)], value);
  delete (holder as Record<string, unknown>)[String(path.at(-1))];
}

function toData({ kind, resource }: Step, answer: unknown): unknown {
  if (kind === "link" || kind === "unlink") return "done";
  const isNumber = resource !== "tag";
  if (kind === "updateMany" || kind === "deleteMany") {
    const { count, ids } = answer as { count: number; ids: string[] };
    return { count, ids: isNumber ? ids.map(Number) : ids };
  }
  if (Array.isArray(answer)) return answer.map((row) => withNumbers(resource, row as Record<string, unknown>));
  return answer === null ? null : withNumbers(resource, answer as Record<string, unknown>);
}

function withNumbers(resource: Resource, row: Readonly<Record<string, unknown>>): object {
  const numbers = NUMBERS[resource].filter((name) => name in row).map((name) => [name, Number(row[name])] as const);
  return { ...row, ...Object.fromEntries(numbers) };
}
