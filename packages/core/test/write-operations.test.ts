import { expect, test } from "vitest";
import { type Operation, printOperation } from "../src/operations.ts";
import { ask, send } from "./request.ts";
import { createLibrary } from "./rest/library.ts";

const api = createLibrary();

/** The operation that a request lowers to. */
async function lowered(act: () => Promise<unknown>): Promise<string> {
  const operations: Operation[] = [];
  const stop = api.observe((operation) => operations.push(operation));
  await act().catch(() => {});
  stop();
  return operations.map(printOperation).join("\n");
}

const row = { id: 70, title: "a", isbn: null, price: 1, words: ["w"], size: null, authorId: null };

test.each<[string, () => Promise<unknown>, string, () => Promise<unknown>]>([
  [
    "many created",
    () => send(api, "POST", "/books?fields=id", { body: [row, { ...row, id: 71 }] }),
    `mutation { createBooks(input: [{ id: 70, title: "a", isbn: null, price: 1, words: ["w"], size: null, authorId: null }, { id: 71, title: "a", isbn: null, price: 1, words: ["w"], size: null, authorId: null }]) { id } }`,
    () => api.local.book.createMany([row, { ...row, id: 71 }], { select: { id: true } }),
  ],
  [
    "many updated",
    () => send(api, "PATCH", "/books?filter[price][gte]=5&filter[title][contains]=x", { body: { price: 2 } }),
    `mutation { updateBooks(filter: { price: { gte: 5 }, title: { contains: "x" } }, input: { price: 2 }) { count } }`,
    () => api.local.book.updateMany({ price: { gte: 5 }, title: { contains: "x" } }, { price: 2 }),
  ],
  [
    "many deleted",
    () => send(api, "DELETE", "/books?filter[id][in]=1&filter[id][in]=2"),
    "mutation { deleteBooks(filter: { id: { in: [1, 2] } }) { count } }",
    () => api.local.book.deleteMany({ id: { in: [1, 2] } }),
  ],
  [
    "an update of one version",
    () => send(api, "PATCH", "/books/1?fields=id", { body: { price: 2 }, headers: { "if-match": '"7", "8"' } }),
    `mutation { updateBook(id: 1, input: { price: 2 }, ifMatch: "7, 8") { id } }`,
    () => api.local.book.update(1, { price: 2 }, { select: { id: true }, ifMatch: ["7", "8"] }),
  ],
  [
    "a delete of any version",
    () => send(api, "DELETE", "/books/1", { headers: { "if-match": "*" } }),
    'mutation { deleteBook(id: 1, ifMatch: "*") { deleted } }',
    () => api.local.book.delete(1, { ifMatch: "*" }),
  ],
])("REST, GraphQL and local calls lower to one operation: %s", async (_what, rest, document, local) => {
  const operation = await lowered(rest);
  expect(operation).not.toBe("");
  expect(await lowered(() => ask(api, document))).toBe(operation);
  // A local call has decoded values instead of JSON.
  expect((await lowered(local)).replaceAll(/\bvalue\b/g, "wire")).toBe(operation);
});
