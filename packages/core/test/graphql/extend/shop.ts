import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, hasMany, type Principal, signedIn } from "../../../src/index.ts";
import type { ExtendSettings } from "../../../src/graphql-extension.ts";
import { countingStore, keepingLog } from "../../counting-store.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), email: z.email() },
  relations: { books: hasMany("book", "authorId") },
  access: { ...access, fields: { email: { read: signedIn } } },
  filterable: ["name"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32(), soldAt: z.date(), cost: z.number().nullable() },
  internal: ["cost"],
  relations: { author: belongsTo("author", "authorId") },
  access: { ...access, read: ({ principal }) => (principal === null ? { id: { lt: 100 } } : true) },
  filterable: ["title"],
  sortable: ["title"],
});
const place = defineResource("place", {
  key: ["hall", "seat"],
  fields: { hall: z.string(), seat: z.int32(), note: z.string() },
  access,
});

type Shop = typeof author | typeof book | typeof place;
export type ShopExtension = ExtendSettings<Shop>;

/** A shop with three authors, six books (book 100 is visible only to authenticated callers) and two places. */
export function shop({ extend = [] }: ShopExtension = {}, principal: Principal | null = null) {
  const soldAt = "2026-01-31T12:00:00.000Z";
  const { store, calls } = countingStore({
    data: {
      author: [1, 2, 3].map((id) => ({ id, name: `Author ${id}`, email: `a${id}@example.com` })),
      book: [1, 2, 3, 4, 5, 100].map((id) => ({ id, title: `Book ${id}`, authorId: (id % 3) + 1, soldAt, cost: 1 })),
      place: [1, 2].map((seat) => ({ hall: "A", seat, note: `Note ${seat}` })),
    },
  });
  const { log, entries } = keepingLog();
  const auth = { schemes: {}, challenge: "Bearer", headers: [], authenticate: () => principal };
  const api = defineApi({ resources: [author, book, place], store, log, auth, graphql: { extend } });
  return { api, calls, entries };
}
