import type { Store } from "@bifocal/core/store";
import assert from "node:assert/strict";
import type { Fixture } from "./fixture.ts";
import { ascending, idsOf } from "./fixture.ts";
import { book } from "./rows.ts";
import type { StoreCase } from "./store-case.ts";

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

function within({ resource, context }: Fixture, store: Store) {
  const books = resource("book");
  return {
    set: async (key: string, price: number) => store.update({ resource: books, key, set: { price } }, context),
    add: async (id: string) => store.insert({ resource: books, rows: [book(id, {})] }, context),
    drop: async (key: string) => store.delete({ resource: books, key }, context),
    price: async (key: string) => (await store.byKeys({ resource: books, keys: [key] }, context))[0]?.["price"],
    ids: async () => {
      const page = await store.list({ resource: books, sort: ascending("id"), limit: 100 }, context);
      return idsOf(page);
    },
  };
}

const cases: readonly Omit<StoreCase, "id" | "needs">[] = [
  {
    name: "writes of a transaction are visible after it",
    async run(fixture) {
      const result = await fixture.store.transaction(async (store) => {
        await within(fixture, store).add("n");
        await within(fixture, store).set("a", 1);
        return "answer";
      }, fixture.context);
      assert.equal(result, "answer");
      assert.equal((await fixture.row("book", "a"))?.["price"], 1);
      assert.equal((await fixture.row("book", "n"))?.["id"], "n");
    },
  },
  {
    name: "writes of a failed transaction are rolled back",
    async run(fixture) {
      const work = fixture.store.transaction(async (store) => {
        const inner = within(fixture, store);
        await inner.add("n");
        await inner.set("a", 1);
        await inner.drop("b");
        throw new Error("no");
      }, fixture.context);
      await assert.rejects(work, /no/);
      assert.equal(await within(fixture, fixture.store).ids(), "abcdefg");
      assert.equal((await fixture.row("book", "a"))?.["price"], 10);
    },
  },
  {
    name: "a transaction sees its own changes, in lists as well",
    async run(fixture) {
      await fixture.store.transaction(async (store) => {
        const inner = within(fixture, store);
        await inner.add("n");
        await inner.drop("b");
        await inner.set("a", 1);
        assert.equal(await inner.ids(), "acdefgn");
        assert.equal(await inner.price("a"), 1);
        const filter = { kind: "compare", field: "price", operator: "eq", value: 1 } as const;
        const query = { resource: fixture.resource("book"), filter, sort: ascending("id"), limit: 9, count: true };
        assert.equal((await store.list(query, fixture.context)).total, 1);
      }, fixture.context);
    },
  },
  {
    name: "other callers don't see them before",
    async run(fixture) {
      const outside = within(fixture, fixture.store);
      let seen: unknown;
      await fixture.store.transaction(async (store) => {
        await within(fixture, store).set("a", 1);
        seen = await Promise.race([outside.price("a"), pause().then(() => "waits")]);
      }, fixture.context);
      assert.ok(seen === 10 || seen === "waits", `another reader saw ${String(seen)}`);
    },
  },
  {
    name: "writers wait for each other",
    async run(fixture) {
      const add = () =>
        fixture.store.transaction(async (store) => {
          const inner = within(fixture, store);
          const before = Number(await inner.price("a"));
          await pause();
          await inner.set("a", before + 1);
        }, fixture.context);
      await Promise.all(Array.from({ length: 5 }, add));
      assert.equal((await fixture.row("book", "a"))?.["price"], 15);
    },
  },
  {
    name: "a failed transaction doesn't block others",
    async run(fixture) {
      const failed = fixture.store.transaction(() => Promise.reject(new Error("no")), fixture.context);
      await assert.rejects(failed, /no/);
      await within(fixture, fixture.store).set("a", 3);
      assert.equal((await fixture.row("book", "a"))?.["price"], 3);
    },
  },
  {
    name: "an aborted signal stops it before it commits",
    async run(fixture) {
      const controller = new AbortController();
      const work = fixture.store.transaction(
        async (store) => {
          await within(fixture, store).set("a", 1);
          controller.abort(new Error("gone"));
        },
        { signal: controller.signal },
      );
      await assert.rejects(work);
      assert.equal((await fixture.row("book", "a"))?.["price"], 10);
    },
  },
  {
    name: "an insert that conflicts adds none of its rows, even if the transaction catches the error",
    async run(fixture) {
      const { resource, store, context } = fixture;
      const work = store.transaction(async (inner) => {
        const rows = ["n", "o", "a"].map((id) => book(id, {}));
        await assert.rejects(async () => inner.insert({ resource: resource("book"), rows }, context));
      }, context);
      // A store may also end the transaction.
      await work.catch(() => {});
      assert.equal(await within(fixture, store).ids(), "abcdefg");
    },
  },
];

export const transactionCases: readonly StoreCase[] = cases.map((one, index) => ({
  ...one,
  needs: ["writes", "transactions"],
  id: `TRANSACTION-${String(index + 1).padStart(2, "0")}`,
}));
