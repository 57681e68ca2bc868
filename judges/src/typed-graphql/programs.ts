const QUERY =
  "query Books { books { nodes { title cost author { name } editor { name } reviews { totalCount nodes { stars } } } } }";

/** The document as an application of each tool writes it. The tool infers or generates the type of its result. */
export const DOCUMENTS = {
  "graphql-codegen": `
import { graphql } from "./gen/gql.ts";
export const BOOKS = graphql(\`${QUERY}\`);
`,
  "gql.tada": `
import { initGraphQLTada } from "gql.tada";
import type { introspection } from "./graphql-env.d.ts";
const graphql = initGraphQLTada<{ introspection: introspection }>();
export const BOOKS = graphql(\`${QUERY}\`);
`,
};

/** A client whose fields throw if they have an error (graphql-toe), so marked fields are never null for it. */
export const ERROR_HANDLING_CLIENT = `
import assert from "node:assert/strict";
import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { print } from "graphql";
import { toe } from "graphql-toe";
import { BOOKS } from "./document.ts";

async function read<Result extends object>(document: TypedDocumentNode<Result, never>, key?: string): Promise<Result> {
  const headers = { "content-type": "application/json", ...(key === undefined ? {} : { authorization: "Bearer " + key }) };
  const response = await fetch("URL", { method: "POST", headers, body: JSON.stringify({ query: print(document) }) });
  return toe((await response.json()) as { data: Result });
}

const { books } = await read(BOOKS, "key");
const seen = books.nodes.map(({ cost, author, editor, reviews }): [number, string, string | undefined, number] => {
  // @ts-expect-error The editor is null if the caller can't see it.
  const unsafe = (): string => editor.name;
  return [cost, author.name, editor?.name, reviews.nodes.reduce((sum, { stars }) => sum + stars, 0)];
});
assert.deepEqual(seen, [[1, "Ann", "Editor 1", 5], [2, "Ann", undefined, 0]]);

const [hidden] = (await read(BOOKS)).books.nodes;
assert.ok(hidden);
assert.equal(hidden.title, "Book 1");
assert.throws(() => hidden.cost, { message: /not allowed/ });
assert.throws(() => hidden.author.name, { message: /not allowed/ });
assert.throws(() => hidden.reviews.totalCount, { message: /not allowed/ });
`;

/** A client that ignores errors, with `nonNullConnections`. */
export const PLAIN_CLIENT = `
import assert from "node:assert/strict";
import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { print } from "graphql";
import { BOOKS } from "./document.ts";

async function read<Result>(document: TypedDocumentNode<Result, never>): Promise<Result> {
  const headers = { "content-type": "application/json" };
  const response = await fetch("URL", { method: "POST", headers, body: JSON.stringify({ query: print(document) }) });
  return ((await response.json()) as { data: Result }).data;
}

const seen = (await read(BOOKS)).books.nodes.map(({ cost, author, reviews }): [number | null, string | undefined, number] => {
  // @ts-expect-error The caller may not read the cost.
  const unsafe: number = cost;
  // @ts-expect-error The caller may not read authors.
  const unsafeName = (): string => author.name;
  return [cost, author?.name, reviews.totalCount + reviews.nodes.length];
});
assert.deepEqual(seen, [[null, undefined, 0], [null, undefined, 0]]);
`;
