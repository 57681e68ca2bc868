import type { Row } from "@bifocal/core/store";
import assert from "node:assert/strict";
import type { Fixture } from "./fixture.ts";
import type { StoreCase } from "./store-case.ts";

const TIME = "2026-01-01T00:00:00.000Z";
const LATER = "2026-01-01T00:00:00.001Z";

function shelves({ store, resource, context }: Fixture) {
  return {
    insert: async (id: string, label: string | null, removedAt: string | null = null) =>
      store.insert({ resource: resource("shelf"), rows: [{ id, label, removedAt }] }, context),
    update: async (key: string, set: Row) => store.update({ resource: resource("shelf"), key, set }, context),
  };
}

async function conflict(work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (thrown: { fields?: unknown }) => {
    assert.deepEqual(thrown.fields, ["label"]);
    return true;
  });
}

const cases: readonly Omit<StoreCase, "id" | "needs">[] = [
  {
    name: "unique groups ignore deleted rows",
    async run(fixture) {
      const { insert, update } = shelves(fixture);
      await insert("a", "poems");
      await update("a", { removedAt: TIME });
      await insert("b", "poems");
      await update("b", { removedAt: TIME });
      await insert("c", "poems", LATER);
      await insert("d", "poems");
      await conflict(insert("e", "poems"));
    },
  },
  {
    name: "a restored row must not conflict with a living one",
    async run(fixture) {
      const { insert, update } = shelves(fixture);
      await insert("a", "poems", TIME);
      await insert("b", "poems");
      await conflict(update("a", { removedAt: null }));
      await update("b", { label: "novels" });
      assert.equal((await update("a", { removedAt: null })).kind, "done");
      await conflict(update("b", { label: "poems" }));
    },
  },
  {
    name: "deleted rows are found by the time of their deletion",
    async run(fixture) {
      const { insert } = shelves(fixture);
      await insert("a", "poems", TIME);
      await insert("b", "novels", LATER);
      await insert("c", "essays");
      const at = { kind: "compare", field: "removedAt", operator: "eq", value: TIME } as const;
      assert.deepEqual(await fixture.matching("shelf", at), ["a"]);
      const living = { kind: "compare", field: "removedAt", operator: "isNull", value: true } as const;
      assert.deepEqual(await fixture.matching("shelf", living), ["c"]);
      assert.deepEqual(await fixture.matching("shelf", { kind: "not", filter: living }), ["a", "b"]);
    },
  },
];

export const softDeleteCases: readonly StoreCase[] = cases.map((one, index) => ({
  ...one,
  id: `DELETED-${String(index + 1).padStart(2, "0")}`,
  needs: ["writes", "transactions"],
}));
