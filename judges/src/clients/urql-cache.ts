import assert from "node:assert/strict";
import { ADMIN } from "../bookstore.ts";
import type { Judge } from "../judge.ts";
import { inTime } from "./in-time.ts";
import { fillShelf } from "./shelf.ts";
import { urqlByPost } from "./urql.ts";
import { tapWire } from "./wire.ts";

const SHELF = "query Shelf($id: ID!) { author(id: $id) { books(sort: [TITLE_ASC]) { nodes { title price } } } }";
const REPRICE = "mutation Reprice($id: ID!) { updateBook(id: $id, input: { price: 12 }) { id price } }";

interface Data {
  readonly author: { readonly books: { readonly nodes: readonly { readonly price: number }[] } };
}

/** urql caches results by document, and drops those with a type that a mutation changed. */
export const urqlCache: Judge = {
  name: "urql's cache: a mutation reloads the shown data of its type",
  async run({ url }) {
    const { fetch, take } = tapWire();
    const client = urqlByPost({ url: `${url}/graphql`, key: ADMIN, fetch });
    const shelf = await fillShelf(url);
    try {
      const shown: unknown[] = [];
      const { promise, resolve } = Promise.withResolvers<void>();
      const { unsubscribe } = client.query<Data>(SHELF, { id: shelf.author }).subscribe(({ data, stale }) => {
        if (stale) return;
        shown.push(data?.author.books.nodes.map(({ price }) => price));
        if (shown.length === 1) void client.mutation(REPRICE, { id: shelf.books[0] }).toPromise();
        else resolve();
      });
      await inTime(promise, "the list, asked again");
      unsubscribe();
      assert.deepEqual(shown, [
        [10, 20],
        [12, 20],
      ]);
      assert.deepEqual(take(), ["POST text", "POST text", "POST text"]);
    } finally {
      await shelf.clear();
    }
  },
};
