import { createHash } from "node:crypto";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createLibrary, serve } from "./library.ts";

const QUERY = "query ($id: ID!) { book(id: $id) { title } }";
const EVENTS = "subscription { bookCreated { title } }";
const variables = { id: "1" };
const answer = { data: { book: { title: "Emma" } } };
const sha256Hash = createHash("sha256").update(QUERY).digest("hex");

const library = createLibrary({ persisted: { documents: { title: QUERY, created: EVENTS }, only: true } });
let served: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  served = await serve(library);
});
afterAll(() => served.close());

const connect = () =>
  createClient({ url: `${served.url.replace("http", "ws")}/graphql`, webSocketImpl: WebSocket, retryAttempts: 0 });

test("over WebSocket, with an empty text", async () => {
  const client = connect();
  const one = async (payload: object): Promise<unknown> =>
    (await client.iterate({ query: "", variables, ...payload }).next()).value;
  expect(await one({ documentId: "title" })).toEqual(answer);
  expect(await one({ extensions: { persistedQuery: { version: 1, sha256Hash } } })).toEqual(answer);
  const events = client.iterate({ query: "", ...({ documentId: "created" } as object) });
  const next = events.next();
  // The protocol doesn't confirm that a subscription has started.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await library.api.local.book.create({ id: 2, authorId: 1, title: "Persuasion" });
  expect((await next).value).toMatchObject({ data: { bookCreated: { title: "Persuasion" } } });
  await client.dispose();
});

test("E16: over WebSocket no other document runs either", async () => {
  const client = connect();
  library.calls.length = 0;
  for (const payload of [
    { query: QUERY },
    { query: EVENTS },
    { query: QUERY, documentId: "title" },
    { query: "{ __typename }", extensions: { persistedQuery: { version: 1, sha256Hash } } },
  ]) {
    await expect(client.iterate({ variables, ...payload }).next()).rejects.toMatchObject([
      { extensions: { code: "FORBIDDEN" } },
    ]);
  }
  await expect(client.iterate({ query: "", ...({ documentId: "other" } as object) }).next()).rejects.toMatchObject([
    { message: "PersistedQueryNotFound" },
  ]);
  expect(library.calls).toEqual([]);
  await client.dispose();
});
