import { expect, test } from "vitest";
import { request, start } from "./notes.ts";

const BOOK = "{ book(id: 1) { title } }";

async function extensionsOf(query: string, prefer: string | undefined, method = "POST"): Promise<unknown> {
  const { api } = start();
  const headers = prefer === undefined ? {} : { prefer };
  const get = request("GET", `/graphql?query=${encodeURIComponent(query)}`, { headers });
  const answer = await api.handle(method === "GET" ? get : request("POST", "/graphql", { headers, body: { query } }));
  return (JSON.parse(answer?.body as string) as { readonly extensions?: unknown }).extensions;
}

async function etag(): Promise<string> {
  const answer = await start().api.handle(request("GET", "/books/1"));
  return /^"(.+)"$/.exec(answer?.headers["ETag"] ?? "")?.[1] ?? "none";
}

test.each(["row-version", "handling=strict, row-version", "Row-Version; a=b"])(
  "Prefer: %s returns the ETag that REST has",
  async (prefer) => expect(await extensionsOf(BOOK, prefer)).toEqual({ version: await etag() }),
);

test("returns the version if graphql-js executes the document", async () => {
  expect(await extensionsOf(`{ __typename book(id: 1) { title } }`, "row-version")).toEqual({ version: await etag() });
});

test("returns the version of a written row, which differs from that before", async () => {
  const found = await extensionsOf('mutation { updateBook(id: 1, input: { title: "New" }) { id } }', "row-version");
  expect(found).toEqual({ version: expect.any(String) as string });
  expect(found).not.toEqual({ version: await etag() });
});

test.each([
  ["other preferences", BOOK, "row-versions", "POST"],
  ["no preference", BOOK, undefined, "POST"],
  ["GET, which caches may store", BOOK, "row-version", "GET"],
  ["two rows", "{ a: book(id: 1) { id } b: book(id: 1) { id } }", "row-version", "POST"],
  ["a missing row", "{ book(id: 99) { title } }", "row-version", "POST"],
  ["a list", "{ books { nodes { title } } }", "row-version", "POST"],
])("returns no version for %s", async (_, query, prefer, method) => {
  expect(await extensionsOf(query, prefer, method)).toBeUndefined();
});
