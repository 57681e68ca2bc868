import type { WriteResult } from "@bifocal/core/store";
import assert from "node:assert/strict";
import type { Fixture } from "./fixture.ts";
import type { StoreCase } from "./store-case.ts";

async function insert({ store, resource, context }: Fixture, id: string): Promise<unknown> {
  const [row] = await store.insert({ resource: resource("sheet"), rows: [{ id, text: "one" }] }, context);
  return row?.["revision"];
}

async function update(
  { store, resource, context }: Fixture,
  set: Readonly<Record<string, string>>,
  ifMatch?: readonly string[],
): Promise<WriteResult> {
  return store.update({ resource: resource("sheet"), key: "s", set, ifMatch }, context);
}

function revisionOf(result: WriteResult): unknown {
  return result.kind === "done" ? result.after["revision"] : result.kind;
}

const cases: readonly Omit<StoreCase, "id" | "needs">[] = [
  {
    name: "a version starts at 1 and grows by one with each write",
    async run(fixture) {
      assert.equal(await insert(fixture, "s"), 1);
      assert.equal(revisionOf(await update(fixture, { text: "two" })), 2);
      assert.equal(revisionOf(await update(fixture, { text: "two" })), 3);
      assert.equal((await fixture.row("sheet", "s"))?.["revision"], 3);
    },
  },
  {
    name: "a write of nothing doesn't change the version",
    async run(fixture) {
      await insert(fixture, "s");
      assert.equal(revisionOf(await update(fixture, {})), 1);
    },
  },
  {
    name: "a precondition compares with the version, in the same step as the write",
    async run(fixture) {
      await insert(fixture, "s");
      assert.equal(revisionOf(await update(fixture, { text: "x" }, ["2"])), "stale");
      const results = await Promise.all(["a", "b", "c"].map((text) => update(fixture, { text }, ["1"])));
      const isAtomic = fixture.store.capabilities.transactions;
      const written = results.filter(({ kind }) => kind === "done").length;
      if (isAtomic) assert.equal(written, 1);
      assert.notEqual(revisionOf(await update(fixture, { text: "y" }, ["1"])), 2);
    },
  },
];

export const versionCases: readonly StoreCase[] = cases.map((one, index) => ({
  ...one,
  id: `VERSION-${String(index + 1).padStart(2, "0")}`,
  needs: ["writes"],
}));
