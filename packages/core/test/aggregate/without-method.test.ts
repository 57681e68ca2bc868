import { expect, test } from "vitest";
import { memoryStore, type Store } from "../../src/index.ts";
import { ask, send } from "../request.ts";
import { AUTHORS, BOOKS, startShop } from "./shop.ts";

/** A memory store without the optional methods. */
function plainStore(books: readonly object[] = BOOKS): Store {
  const store = memoryStore({ data: { author: AUTHORS, book: books as never } });
  const members = Object.entries(store).filter(([name]) => !name.startsWith("aggregate"));
  return Object.fromEntries(members) as unknown as Store;
}

test.each([
  "/books?aggregate=count,sum.price,avg.price,max.soldAt&group=genre",
  "/books?aggregate=count,sum.pages,min.cost&filter[price][gt]=5",
  "/authors/1/books?aggregate=count,sum.stars&group=genre&having[count][gte]=2",
])("the engine groups the rows of a store that can't: %s", async (url) => {
  const expected = await send(startShop(), "GET", url);
  expect(expected.status).toBe(200);
  expect((await send(startShop({ store: plainStore() }), "GET", url)).body).toEqual(expected.body);
});

test("the engine groups the related rows of each parent", async () => {
  const query = "{ authors { nodes { booksAggregate(groupBy: [GENRE]) { nodes { group { genre } count } } } } }";
  const expected = await ask(startShop(), query);
  expect(expected.errors).toBeUndefined();
  expect(await ask(startShop({ store: plainStore() }), query)).toEqual(expected);
});

test("rejects more rows than the engine groups", async () => {
  const books = Array.from({ length: 10_001 }, (_, at) => ({ ...BOOKS[0], id: at + 1 }));
  const refused = await send(startShop({ store: plainStore(books) }), "GET", "/books?aggregate=count");
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ code: "too_many_rows" }] } });
  expect(
    (await send(startShop({ store: plainStore(books) }), "GET", "/books?aggregate=count&filter[price]=1")).body,
  ).toEqual([{ group: {}, count: 0 }]);
});
