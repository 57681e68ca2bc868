import { afterAll, beforeAll, expect, test } from "vitest";
import { createLibrary } from "./library.ts";
import { Client, serve, type Served } from "./serve.ts";

const library = createLibrary();
let served: Served;
beforeAll(async () => {
  served = await serve(library.api);
});
afterAll(() => served.close());

test.each([
  ["/books?fields=id,title", "", 200],
  ["/books?fields=id,price", "", 403],
  ["/books/1?fields=price", "", 403],
  ["/books?fields=id,price", "cy", 200],
  ["/books?fields=author.name", "", 200],
  ["/authors?include=books&fields=name,books.price", "", 403],
  // A rule that returns a filter.
  ["/books?fields=secret", "cy", 200],
  ["/books?fields=secret", "", 403],
  ["/books", "", 200],
])("an event stream of REST returns %s like a read, for '%s': %i", async (path, key, status) => {
  const headers = key === "" ? {} : { authorization: `Bearer ${key}` };
  const read = await fetch(served.url + path, { headers });
  const watched = await fetch(served.url + path, { headers: { ...headers, accept: "text/event-stream" } });
  expect([read.status, watched.status]).toEqual([status, status]);
  const problems = await Promise.all([watched, read].filter(({ ok }) => !ok).map((one) => one.json()));
  expect(problems[0]).toEqual(problems[1]);
  if (watched.ok) await watched.body?.cancel();
  await expect.poll(() => library.listeners()).toBe(0);
});

test("a GraphQL subscription returns the same error for an unreadable field as a query", async () => {
  const client = await Client.open(served.url);
  const denied = { message: "You are not allowed to read 'price'.", extensions: { code: "FORBIDDEN" } };
  await client.send({ type: "subscribe", id: "1", payload: { query: "{ book(id: 1) { title price } }" } });
  expect((await client.next()).payload).toMatchObject({
    data: { book: { title: "Book 1", price: null } },
    errors: [{ ...denied, path: ["book", "price"] }],
  });
  await client.next();
  const query = "subscription { bookUpdated(id: 1, initial: true) { title price } }";
  await client.send({ type: "subscribe", id: "2", payload: { query } });
  expect((await client.next()).payload).toMatchObject({
    data: { bookUpdated: { title: "Book 1", price: null } },
    errors: [{ ...denied, path: ["bookUpdated", "price"] }],
  });
});
