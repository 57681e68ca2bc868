import {
  allow,
  apiKeys,
  asSystem,
  belongsTo,
  BifocalError,
  type Bus,
  decimal,
  defineApi,
  defineResource,
  generate,
  hasMany,
  hasRole,
  manyToMany,
  type Principal,
  signedIn,
  silentLog,
  type Store,
} from "@bifocal/core";
import { z } from "zod";

export const WRITERS: Readonly<Record<string, Principal | null>> = {
  nobody: null,
  ann: { id: "ann", roles: [] },
  ed: { id: "ed", roles: ["editor"] },
  root: { id: "root", roles: ["editor", "admin"] },
};

const editor = hasRole("editor");
const admin = hasRole("admin");
/** Admins can do it with any row, and editors with rows that match. */
const within =
  <F>(filter: F) =>
  ({ principal }: { readonly principal: Principal | null }): boolean | F =>
    principal?.roles?.includes("admin") ? true : principal?.roles?.includes("editor") ? filter : false;

/** A shop over a store, whose ids start from 1 again after `reset`. */
export function createShop(store: Store, bus: Bus | undefined) {
  const last = { author: 0, book: 0, note: 0 };
  const count = (name: keyof typeof last) => generate(() => (last[name] += 1));
  const author = defineResource("author", {
    fields: { id: z.int32(), name: z.string().min(1).max(8), email: z.email().nullable(), rank: z.int32().default(0) },
    generated: { id: count("author") },
    unique: ["email"],
    relations: { books: hasMany("book", "authorId", { creates: 3, writes: { create: 2, update: 2, delete: 1 } }) },
    access: {
      read: allow,
      create: editor,
      update: editor,
      delete: admin,
      fields: { email: { read: signedIn }, rank: { read: allow, write: admin } },
    },
    bulk: { create: 5, update: 50, delete: 50 },
    filterable: ["id", "name", "rank"],
  });
  const book = defineResource("book", {
    fields: {
      id: z.int32(),
      title: z.string().trim().min(1).max(12),
      isbn: z.string().nullable(),
      price: z.number().nonnegative(),
      fee: decimal({ precision: 6, scale: 2 }).default("0.10"),
      isPublished: z.boolean().default(true),
      authorId: z.int32(),
      cost: z.int32().default(7),
    },
    generated: { id: count("book") },
    internal: ["cost"],
    unique: ["isbn"],
    relations: {
      author: belongsTo("author", "authorId", { creates: 1 }),
      notes: hasMany("note", "bookId", { creates: 3, writes: { create: 2, update: 2, delete: 2 } }),
      tags: manyToMany("tag", { links: 3 }),
    },
    access: {
      // A hidden book looks like a missing one.
      read: ({ principal }) => (principal?.roles?.includes("editor") ? true : { isPublished: { eq: true } }),
      create: editor,
      update: within({ price: { lt: 50 } }),
      delete: admin,
    },
    actions: {
      publish: {
        on: "item",
        access: editor,
        input: z.object({ price: z.number().max(90) }),
        run: ({ item, input, store: books }) => books.update(item.id, { isPublished: true, price: input.price }),
      },
      raise: {
        on: "collection",
        access: admin,
        input: z.object({ by: z.number() }),
        output: z.object({ raised: z.int32() }),
        run: async ({ input, store: books }) => {
          const rows = await books.list();
          // Rolls back the writes before it.
          for (const { id: key, price } of rows) {
            if (price + input.by > 100) throw new BifocalError("CONFLICT", "No book costs more than 100.");
            await books.update(key, { price: Math.max(0, price + input.by) });
          }
          return { raised: rows.length };
        },
      },
    },
    hooks: {
      update: {
        before: ({ input }) => {
          if (input.title === "forbidden") throw new BifocalError("CONFLICT", "That title is not for sale.");
        },
      },
    },
    bulk: { create: 5, update: 50, delete: 50 },
    search: ["title"],
    filterable: ["id", "title", "price", "fee", "isPublished", "authorId"],
  });
  const note = defineResource("note", {
    fields: { id: z.int32(), bookId: z.int32(), text: z.string().min(1) },
    generated: { id: count("note") },
    relations: { book: belongsTo("book", "bookId", { onDelete: "cascade" }) },
    access: { read: allow, create: signedIn, update: within({ text: { ne: "kept" } }), delete: editor },
    filterable: ["id", "text"],
  });
  const tag = defineResource("tag", {
    fields: { slug: z.string().regex(/^[a-z]{1,4}$/), name: z.string().min(1), revision: z.int32(), kind: z.string() },
    key: "slug",
    upsert: true,
    version: "revision",
    immutable: ["kind"],
    relations: { books: manyToMany("book") },
    access: { read: allow, create: editor, update: editor, delete: editor },
    filterable: ["slug", "name"],
  });
  const api = defineApi({
    resources: [author, book, note, tag],
    store,
    ...(bus === undefined ? {} : { events: { bus } }),
    auth: apiKeys(Object.fromEntries(Object.values(WRITERS).flatMap((one) => (one === null ? [] : [[one.id, one]])))),
    log: silentLog,
  });
  const system = api.as(asSystem("between two cases"));
  return {
    api,
    system,
    reset: async (): Promise<void> => {
      for (const { id: key } of (await system.book.list({ page: { size: 100 } })).items) await system.book.delete(key);
      for (const { id: key } of (await system.author.list({ page: { size: 100 } })).items)
        await system.author.delete(key);
      for (const { slug } of (await system.tag.list({ page: { size: 100 } })).items) await system.tag.delete(slug);
      Object.assign(last, { author: 0, book: 0, note: 0 });
    },
  };
}

export type Shop = ReturnType<typeof createShop>;
