import { rowVersion } from "@bifocal/core/store";
import assert from "node:assert/strict";
import type { Fixture } from "./fixture.ts";
import { book } from "./rows.ts";
import type { StoreCase } from "./store-case.ts";

const WRITES = ["writes"] as const;
const TRANSACTIONS = ["writes", "transactions"] as const;

async function conflict(work: Promise<unknown>, fields: readonly string[]): Promise<void> {
  await assert.rejects(work, (thrown: { fields?: unknown }) => {
    assert.deepEqual(thrown.fields, fields);
    return true;
  });
}

function commands({ store, resource, context }: Fixture) {
  return {
    insert: async (...rows: Parameters<typeof book>[]) =>
      store.insert({ resource: resource("book"), rows: rows.map(([id, given]) => book(id, given)) }, context),
    update: async (key: string, set: Parameters<typeof book>[1], more: object = {}) =>
      store.update({ resource: resource("book"), key, set: set as never, ...more }, context),
    delete: async (key: string, more: object = {}) =>
      store.delete({ resource: resource("book"), key, ...more }, context),
  };
}

const cheap = { kind: "compare", field: "price", operator: "lt", value: 100 } as const;

const cases: readonly Omit<StoreCase, "id">[] = [
  {
    name: "insert returns and stores the rows",
    needs: WRITES,
    async run(fixture) {
      const [made] = await commands(fixture).insert(["n", { title: "New", extra: { deep: [{ a: null }] } }]);
      assert.deepEqual(await fixture.row("book", "n"), made);
      assert.deepEqual(made?.["extra"], { deep: [{ a: null }] });
    },
  },
  {
    name: "insert rejects an existing key",
    needs: TRANSACTIONS,
    run: (fixture) => conflict(commands(fixture).insert(["a", { title: "other" }]), ["id"]),
  },
  {
    name: "insert rejects an existing unique value",
    needs: TRANSACTIONS,
    run: (fixture) => conflict(commands(fixture).insert(["n", { isbn: "1" }]), ["isbn"]),
  },
  {
    name: "insert rejects an existing unique group",
    needs: TRANSACTIONS,
    run: (fixture) => conflict(commands(fixture).insert(["n", { title: "Emma", genre: "novel" }]), ["title", "genre"]),
  },
  {
    name: "missing values don't conflict",
    needs: WRITES,
    async run(fixture) {
      await commands(fixture).insert(["n", { title: "n1" }], ["m", { title: "m1" }]);
      assert.equal((await fixture.row("book", "m"))?.["isbn"], null);
    },
  },
  {
    name: "several rows are inserted all or none",
    needs: TRANSACTIONS,
    async run(fixture) {
      await conflict(commands(fixture).insert(["n", { title: "n1" }], ["a", { title: "x" }]), ["id"]);
      assert.equal(await fixture.row("book", "n"), undefined);
    },
  },
  {
    name: "a sequence counts from 1 and never repeats a number",
    needs: TRANSACTIONS,
    async run({ store, resource, context }) {
      const numbers: unknown[] = [];
      for (const text of ["x", "y"]) {
        const [row] = await store.insert({ resource: resource("entry"), rows: [{ text }] }, context);
        numbers.push(row?.["number"]);
      }
      await store.delete({ resource: resource("entry"), key: 2 }, context);
      const [last] = await store.insert({ resource: resource("entry"), rows: [{ text: "z" }] }, context);
      assert.deepEqual([...numbers, last?.["number"]], [1, 2, 3]);
    },
  },
  {
    name: "update writes the given fields and returns the row before and after",
    needs: WRITES,
    async run(fixture) {
      const result = await commands(fixture).update("a", { price: 11 });
      assert.equal(result.kind, "done");
      if (result.kind !== "done") return;
      assert.deepEqual([result.before["price"], result.after["price"], result.after["title"]], [10, 11, "Emma"]);
      assert.deepEqual(await fixture.row("book", "a"), result.after);
      assert.deepEqual(await fixture.matching("book", { kind: "compare", field: "price", operator: "eq", value: 11 }), [
        "a",
      ]);
    },
  },
  {
    name: "update of a missing row, or of one that `where` excludes, returns absent",
    needs: WRITES,
    async run(fixture) {
      const { update } = commands(fixture);
      assert.deepEqual(await update("nothing", { price: 1 }), { kind: "absent" });
      assert.deepEqual(await update("c", { price: 1 }, { where: cheap }), { kind: "absent" });
      assert.equal((await fixture.row("book", "c"))?.["price"], null);
      assert.equal((await update("a", { price: 1 }, { where: cheap })).kind, "done");
    },
  },
  {
    name: "update that would violate `check` is rejected and writes nothing",
    needs: WRITES,
    async run(fixture) {
      assert.deepEqual(await commands(fixture).update("a", { price: 100 }, { check: cheap }), { kind: "refused" });
      assert.equal((await fixture.row("book", "a"))?.["price"], 10);
    },
  },
  {
    name: "update with an old version returns stale",
    needs: WRITES,
    async run(fixture) {
      const { update } = commands(fixture);
      const version = rowVersion(fixture.resource("book"), (await fixture.row("book", "a")) ?? {});
      assert.equal((await update("a", { price: 1 }, { ifMatch: ["other", version] })).kind, "done");
      assert.deepEqual(await update("a", { price: 2 }, { ifMatch: [version] }), { kind: "stale" });
      assert.equal((await update("a", { price: 2 }, { ifMatch: "*" })).kind, "done");
      assert.deepEqual(await update("nothing", { price: 2 }, { ifMatch: "*" }), { kind: "absent" });
    },
  },
  {
    name: "update rejects another row's unique value, and accepts its own",
    needs: TRANSACTIONS,
    async run(fixture) {
      const { update } = commands(fixture);
      await conflict(update("a", { isbn: "1" }), ["isbn"]);
      assert.equal((await update("f", { isbn: "1" })).kind, "done");
      assert.equal((await update("f", { isbn: "2" })).kind, "done");
      assert.equal((await update("a", { isbn: "1" })).kind, "done");
    },
  },
  {
    name: "update can change the key",
    needs: TRANSACTIONS,
    async run(fixture) {
      assert.equal((await commands(fixture).update("g", { id: "z" })).kind, "done");
      assert.equal(await fixture.row("book", "g"), undefined);
      assert.equal((await fixture.row("book", "z"))?.["price"], 10);
      await conflict(commands(fixture).update("z", { id: "a", title: "q" }), ["id"]);
    },
  },
  {
    name: "delete returns the row, only the first time",
    needs: WRITES,
    async run(fixture) {
      const { delete: deleteBook } = commands(fixture);
      assert.deepEqual(await deleteBook("c", { where: cheap }), { kind: "absent" });
      assert.deepEqual(await deleteBook("a", { ifMatch: ["other"] }), { kind: "stale" });
      const result = await deleteBook("a");
      assert.equal(result.kind === "done" && result.before["title"], "Emma");
      assert.deepEqual(await deleteBook("a"), { kind: "absent" });
      assert.deepEqual(
        await fixture.matching("book", { kind: "compare", field: "title", operator: "eq", value: "Emma" }),
        [],
      );
    },
  },
  {
    name: "links exist once, from both sides",
    needs: ["writes", "links", "listPer"],
    async run({ store, relation, context, matching }) {
      const [tags, books] = [relation("book", "tags"), relation("tag", "books")];
      assert.equal(await store.link({ relation: tags, from: "c", to: "new" }, context), true);
      assert.equal(await store.link({ relation: books, from: "new", to: "c" }, context), false);
      const tagged = {
        kind: "related",
        relation: "tags",
        quantifier: "some",
        filter: { kind: "constant", value: true },
      } as const;
      if (store.capabilities.relationFilters) assert.deepEqual(await matching("book", tagged), ["a", "b", "c"]);
      assert.equal(await store.unlink({ relation: books, from: "new", to: "c" }, context), true);
      assert.equal(await store.unlink({ relation: tags, from: "c", to: "new" }, context), false);
    },
  },
  {
    name: "`check` compares the new row like a stored one: text by code point",
    needs: WRITES,
    async run(fixture) {
      const { update } = commands(fixture);
      const above = (value: string) => ({ check: { kind: "compare", field: "title", operator: "gt", value } }) as const;
      assert.equal((await update("a", { title: "emma" }, above("Z"))).kind, "done");
      assert.equal((await update("a", { title: "Emma" }, above("a"))).kind, "refused");
    },
  },
];

export const writeCases: readonly StoreCase[] = cases.map((one, index) => ({
  ...one,
  id: `WRITE-${String(index + 1).padStart(2, "0")}`,
}));
