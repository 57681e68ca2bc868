import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { computed } from "./computed.ts";
import { defineResource } from "./define-resource.ts";
import { uuid } from "./generated.ts";
import type { Local } from "./local.ts";
import { belongsTo, hasMany } from "./relations.ts";
import type { AnyResource } from "./resource.ts";
import { allow, deny, signedIn } from "./rules.ts";

const access = { read: allow, create: allow, update: allow, delete: deny };
const book = defineResource("book", {
  fields: {
    id: z.uuid(),
    authorId: z.uuid(),
    title: z.string(),
    dueDate: z.iso.date().nullable(),
    lentAt: z.codec(z.iso.datetime(), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    }),
  },
  generated: { id: uuid() },
  relations: { author: belongsTo("author", "authorId") },
  computed: {
    isOverdue: computed(z.boolean(), {
      from: ["dueDate", "lentAt"],
      get: (row) => {
        expectTypeOf(row).toEqualTypeOf<{ dueDate: string | null; lentAt: Date }>();
        return row.dueDate !== null;
      },
    }),
    sales: computed(z.int().nullable(), {
      from: ["id"],
      load: async (rows, { principal, locals }) => {
        expectTypeOf(rows).toEqualTypeOf<readonly { id: string }[]>();
        void locals("sale");
        return rows.map(() => (principal === null ? null : 1));
      },
    }),
  },
  access: {
    ...access,
    update: ({ principal }) => ({ authorId: { eq: principal?.id } }),
    fields: { sales: { read: signedIn }, title: { read: signedIn, write: deny } },
  },
  hooks: { create: { before: ({ input }) => ({ title: input.title ?? "" }) } },
  actions: {
    lend: {
      on: "item",
      access: allow,
      run: async ({ item, store, local }) => {
        await local.get(item.id, { select: { isOverdue: true, title: true } });
        return store.update(item.id, { title: "lent" });
      },
    },
  },
});
const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
});
declare function api<const All extends readonly AnyResource[]>(resources: readonly [...All]): Local<All[number]>;

test("computed fields are part of results and of no input", async () => {
  const local = api([author, book]);
  const [whole] = (await local.book.list()).items;
  expectTypeOf(whole?.isOverdue).toEqualTypeOf<boolean | undefined>();
  expectTypeOf(whole?.sales).toEqualTypeOf<number | null | undefined>();
  const one = await local.book.get("x", { select: { title: true, isOverdue: true } });
  expectTypeOf(one).toEqualTypeOf<{ title: string; isOverdue: boolean } | null>();
  const { items } = await local.author.list({ select: { books: { select: { sales: true } } } });
  expectTypeOf(items).toEqualTypeOf<{ books: { sales: number | null }[] }[]>();
  // @ts-expect-error no input contains a computed field
  void (() => local.book.update("x", { isOverdue: true }));
  // @ts-expect-error application code computes it, so no store can filter by it
  void (() => local.book.list({ filter: { isOverdue: true } }));
  // @ts-expect-error a typo
  void (() => local.book.list({ select: { isOverdu: true } }));
});

test("mistakes are compile errors", () => {
  const fields = { id: z.uuid(), dueDate: z.iso.date().nullable(), title: z.string() };
  defineResource("book", {
    fields,
    // @ts-expect-error an unknown field
    computed: { a: computed(z.boolean(), { from: ["due"], get: () => true }) },
    access,
  });
  defineResource("book", {
    fields,
    // @ts-expect-error a field that isn't in 'from'
    computed: { a: computed(z.string(), { from: ["dueDate"], get: (row) => row.title }) },
    access,
  });
  defineResource("book", {
    fields,
    // @ts-expect-error a value of another type
    computed: { a: computed(z.boolean(), { from: ["title"], get: (row) => row.title }) },
    access,
  });
  // @ts-expect-error a field has this name
  defineResource("book", { fields, access, computed: { title: computed(z.string(), { from: [], get: () => "" }) } });
  defineResource("book", {
    fields,
    relations: { loans: hasMany("loan", "bookId") },
    computed: { loans: computed(z.int(), { from: [], get: () => 1 }) },
    // @ts-expect-error a relation has this name
    access,
  });
  defineResource("book", {
    fields,
    computed: { a: computed(z.int(), { from: [], get: () => 1 }) },
    // @ts-expect-error no caller can write it
    access: { ...access, fields: { a: { write: allow } } },
  });
  defineResource("book", {
    fields,
    computed: { a: computed(z.int(), { from: [], get: () => 1 }) },
    // @ts-expect-error a typo in the name of a field
    access: { ...access, fields: { b: { read: allow } } },
  });
});
