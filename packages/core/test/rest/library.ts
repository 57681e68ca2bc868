import { z } from "zod";
import {
  allow,
  type ApiOptions,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  hasRole,
  manyToMany,
  memoryStore,
  type Principal,
  signedIn,
  uuid,
} from "../../src/index.ts";

const editor = hasRole("editor");

export const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string().min(1), email: z.email().nullable() },
  relations: { books: hasMany("book", "authorId") },
  access: { read: allow, create: allow, update: allow, delete: allow, fields: { email: { read: signedIn } } },
  filterable: ["name"],
  sortable: ["name"],
});

export const book = defineResource("book", {
  fields: {
    id: z.int32(),
    title: z.string().min(1),
    isbn: z.string().nullable(),
    price: z.number().nonnegative(),
    words: z.array(z.string()).default([]),
    size: z.object({ width: z.number(), height: z.number().optional() }).nullable(),
    authorId: z.int32().nullable(),
    revision: z.int(),
  },
  relations: { author: belongsTo("author", "authorId", { onDelete: "setNull" }), tags: manyToMany("tag") },
  access: { read: allow, create: allow, update: allow, delete: allow },
  immutable: ["isbn"],
  version: "revision",
  bulk: { create: 5, update: 3, delete: 3 },
  unique: ["isbn"],
  filterable: ["id", "title", "price", "words"],
  sortable: ["id", "title", "price"],
  actions: {
    double: {
      on: "item",
      access: allow,
      run: ({ item, store }) => store.update(item.id, { price: item.price * 2 }),
    },
    count: {
      on: "collection",
      output: z.int32(),
      access: editor,
      run: async ({ store }) => (await store.list()).length,
    },
  },
});

export const tag = defineResource("tag", {
  key: "slug",
  fields: { slug: z.string(), name: z.string(), owner: z.string().nullable() },
  relations: { books: manyToMany("book") },
  access: {
    read: ({ principal }) => (principal === null ? { owner: { isNull: true } } : true),
    create: allow,
    update: allow,
    delete: allow,
  },
  upsert: true,
  filterable: ["slug"],
  cache: { public: true, maxAge: 60 },
});

/** Every change must name a version. */
export const note = defineResource("note", {
  fields: { id: z.uuid(), text: z.string() },
  generated: { id: uuid() },
  access: { read: allow, create: allow, update: allow, delete: allow },
  upsert: true,
  requirePrecondition: true,
  cache: { noStore: true },
});

export const ANN: Principal = { id: "ann", roles: ["editor"] };
export const NOTE = "00000000-0000-4000-8000-000000000001";

/** A new library with three books. `Authorization: Bearer ann` authenticates as ann. */
export function createLibrary(
  options: Partial<ApiOptions<readonly [typeof author, typeof book, typeof tag, typeof note]>> = {},
) {
  return defineApi({
    resources: [author, book, tag, note],
    store: memoryStore({
      data: {
        author: [{ id: 1, name: "Austen", email: "jane@example.com" }],
        book: [
          { id: 1, title: "Emma", isbn: "1", price: 10, words: ["match"], size: { width: 2, height: 3 }, authorId: 1 },
          { id: 2, title: "=1+1", isbn: null, price: 7.5, words: [], size: null, authorId: 1 },
          { id: 3, title: 'A "B", C\n', isbn: null, price: 3, words: ["x", "y"], size: null, authorId: null },
        ],
        tag: [
          { slug: "old", name: "Old", owner: null },
          { slug: "hidden", name: "Hidden", owner: "ann" },
        ],
        note: [{ id: NOTE, text: "first" }],
      },
    }),
    auth: {
      challenge: "Bearer",
      schemes: { bearer: { type: "http", scheme: "bearer" } },
      authenticate: ({ headers }) => (headers["authorization"] === "Bearer ann" ? ANN : null),
    },
    ...options,
  });
}

export const AS_ANN = { authorization: "Bearer ann" };
