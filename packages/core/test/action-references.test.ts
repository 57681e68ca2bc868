import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, deny, memoryStore } from "../src/index.ts";

const shelf = defineResource("shelf", {
  fields: { id: z.int32() },
  // No caller can read this resource, but code can reference its rows.
  access: { read: deny, create: deny, update: deny, delete: deny },
});
const item = defineResource("item", {
  fields: { id: z.int32(), shelfId: z.int32().nullable() },
  relations: { shelf: belongsTo("shelf", "shelfId") },
  access: { read: allow, create: allow, update: allow, delete: allow },
  actions: {
    put: {
      on: "collection",
      access: allow,
      input: z.object({ id: z.int32(), shelfId: z.int32() }),
      run: async ({ input, store }) => {
        await store.create({ id: input.id, shelfId: null });
        await store.update(input.id, { shelfId: input.shelfId });
      },
    },
  },
});

test("rejects references to missing rows in the writes of an action, as a store with foreign keys does", async () => {
  const api = defineApi({ resources: [shelf, item], store: memoryStore({ data: { shelf: [{ id: 1 }] } }) });
  await api.local.item.actions.put({ id: 1, shelfId: 1 });
  await expect(api.local.item.actions.put({ id: 2, shelfId: 9 })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    issues: [{ path: ["shelfId"], code: "unknown_reference" }],
  });
  const { items } = await api.local.item.list();
  expect(items).toEqual([{ id: 1, shelfId: 1 }]);
});
