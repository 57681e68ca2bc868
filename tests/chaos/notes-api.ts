import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  type IdempotencyStore,
  manyToMany,
  silentLog,
  uuid,
} from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };

const shelf = defineResource("shelf", {
  fields: { id: z.string(), name: z.string() },
  relations: { orders: hasMany("order", "shelfId", { creates: 5 }) },
  upsert: true,
  access,
});
/** Only the idempotency key of a request keeps an order from being placed twice. */
const order = defineResource("order", {
  fields: { id: z.uuid(), token: z.string(), shelfId: z.string().nullable().default(null) },
  generated: { id: uuid() },
  relations: { shelf: belongsTo("shelf", "shelfId") },
  access,
  filterable: ["token"],
  bulk: { create: 10 },
});
const note = defineResource("note", {
  fields: {
    id: z.string(),
    text: z.string(),
    log: z.array(z.string()).default([]),
    hits: z.int32().default(0),
    isDone: z.boolean().default(false),
    shelfId: z.string().nullable().default(null),
  },
  relations: { shelf: belongsTo("shelf", "shelfId"), tags: manyToMany("tag") },
  access,
  filterable: ["id", "isDone"],
  bulk: { update: 10, delete: 10 },
  actions: {
    hit: {
      on: "item",
      access: allow,
      run: async ({ item, store }) => void (await store.update(item.id, { hits: item.hits + 1 })),
    },
    place: {
      on: "collection",
      access: allow,
      output: z.string(),
      run: async ({ stores }) => String((await stores("order").create({ token: "placed" }))["id"]),
    },
  },
});
const tag = defineResource("tag", { fields: { id: z.string() }, access });

/** An API whose every write can be retried, over a database that several processes share. */
export function createNotesApi(url: string, idempotency: { readonly store?: IdempotencyStore } = {}) {
  const store = sqlStore({ url, autoCreate: true, max: 6 });
  return defineApi({ resources: [shelf, order, note, tag], store, idempotency, log: silentLog });
}
