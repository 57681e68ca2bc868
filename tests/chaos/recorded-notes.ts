import { allow, belongsTo, defineApi, defineResource, hasMany, silentLog } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };

const shelf = defineResource("shelf", {
  fields: { id: z.string().max(50), text: z.string() },
  relations: { notes: hasMany("note", "shelfId", { creates: 5 }) },
  history: true,
  access,
});
const note = defineResource("note", {
  fields: {
    id: z.string().max(50),
    text: z.string(),
    shelfId: z.string().max(50).nullable().default(null),
    deletedAt: z.iso.datetime().nullable(),
  },
  relations: { shelf: belongsTo("shelf", "shelfId") },
  history: true,
  softDelete: "deletedAt",
  bulk: { create: 5 },
  actions: {
    rename: {
      on: "item",
      access: allow,
      input: z.object({ text: z.string() }),
      run: async ({ item, store, input }) => void (await store.update(item.id, { text: input.text })),
    },
  },
  access,
});

/** Notes whose changes are recorded. Each write sets a text that no other write sets. */
export function createRecordedNotes(url: string) {
  const store = sqlStore({ url, autoCreate: true, max: 6 });
  return defineApi({ resources: [shelf, note], store, log: silentLog });
}

export type RecordedNotes = ReturnType<typeof createRecordedNotes>;
