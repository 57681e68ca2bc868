import { type ExecutionResult, parse, subscribe } from "graphql";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Principal } from "../../src/index.ts";
import { createLibrary, newBook, PRINCIPALS } from "./library.ts";
import { Client, serve, type Served } from "./serve.ts";

const library = createLibrary();
let served: Served;
beforeAll(async () => {
  served = await serve(library.api);
});
afterAll(() => served.close());

const { ann, cy } = PRINCIPALS;

/** The text of a change, compiled or not, equals that of graphql-js. */
test.each<[query: string, variables: Record<string, unknown>, principal: (Principal & { id: string }) | null]>([
  ["subscription { bookUpdated { title } }", {}, null],
  ["subscription { it: bookUpdated { __typename no: id title again: title } }", {}, null],
  [
    "subscription { bookUpdated { ...F author { ...A ... on Author { id } } } } fragment F on Book { title draft } fragment A on Author { name }",
    {},
    null,
  ],
  [
    "subscription ($with: Boolean!) { bookUpdated { title author @include(if: $with) { name } } }",
    { with: true },
    null,
  ],
  [
    "subscription ($with: Boolean!) { bookUpdated { title author @include(if: $with) { name } } }",
    { with: false },
    null,
  ],
  [
    "subscription ($id: ID!, $n: Int) { bookUpdated(id: $id) { author { books(first: $n) { totalCount nodes { id } pageInfo { hasNextPage } } } } }",
    { id: "1", n: 1 },
    null,
  ],
  ["subscription ($f: BookFilter) { bookUpdated(filter: $f) { title } }", { f: { id: { in: [1] } } }, ann],
  ["subscription { bookUpdated { title price secret } }", {}, ann],
  ["subscription { bookUpdated { title price secret } }", {}, cy],
  ["subscription { bookUpdated { title price secret } }", {}, null],
  ["subscription { bookChanged { title price secret } }", {}, null],
  ["subscription ($id: ID) { bookChanged(id: $id) { title author { name } } }", { id: "1" }, ann],
])("%s %j", async (query, variableValues, principal) => {
  const { api, books } = library;
  const client = await Client.open(served.url, principal === null ? {} : { key: principal.id });
  await client.send({ type: "subscribe", id: "1", payload: { query, variables: variableValues } });
  await client.settle();
  const contextValue = api.graphql.context(principal);
  const events = await subscribe({ schema: api.graphql.schema, document: parse(query), contextValue, variableValues });
  if (!(Symbol.asyncIterator in events)) throw new Error(JSON.stringify(events));
  const next = events.next() as Promise<IteratorResult<ExecutionResult>>;
  await books.update(1, { title: `"${Math.random()}" 😀\u2028` });
  const { payload } = (await client.next()) as { payload: ExecutionResult };
  const { value } = (await next) as { value: ExecutionResult };
  const { errors, ...others } = JSON.parse(JSON.stringify(value)) as ExecutionResult;
  // Errors come first, as in the response.
  const { extensions, ...told } = payload;
  expect(extensions).toEqual({ eventId: expect.stringMatching(/^[\w-]{22}$/) as string, kind: "updated" });
  expect(JSON.stringify(told)).toBe(JSON.stringify(errors === undefined ? others : { errors, ...others }));
  await events.return(undefined);
  client.socket.close();
  await client.closed;
});

test.each<[query: string, variables: Record<string, unknown>]>([
  [
    "subscription { it: bookUpdated(filter: { not: { not: { not: { not: { not: { not: { id: { eq: 1 } } } } } } } }) { title } }",
    {},
  ],
  ["subscription { bookCreated(initial: true) { title } }", {}],
  ["subscription ($id: ID!) { bookUpdated(id: $id) { title } }", {}],
])("rejects with the same messages as graphql-js: %s", async (query, variableValues) => {
  const { api, books } = library;
  for (const id of [11, 12, 13, 14]) await books.create(newBook(id)).catch(() => {});
  const contextValue = api.graphql.context(null);
  const result = await subscribe({ schema: api.graphql.schema, document: parse(query), contextValue, variableValues });
  if (!("errors" in result)) throw new Error("It is not refused.");
  const client = await Client.open(served.url);
  await client.send({ type: "subscribe", id: "1", payload: { query, variables: variableValues } });
  const message = (await client.next()) as { type: string; payload: { extensions: object }[] };
  expect(message.type).toBe("error");
  const plain = (errors: unknown): unknown =>
    (JSON.parse(JSON.stringify(errors)) as object[]).map((error) => ({ ...error, extensions: undefined }));
  expect(plain(message.payload)).toEqual(plain(result.errors));
  expect(message.payload).toMatchObject([{ extensions: { code: "BAD_REQUEST" } }]);
  client.socket.close();
});
