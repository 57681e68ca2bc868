import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, count, defineResource, hasMany, type Local, type LocalPage, uuid } from "../index.ts";

const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string() },
  generated: { id: uuid() },
  relations: { books: hasMany("book", "authorId") },
  computed: { bookCount: count("books") },
  access: { read: allow, create: allow, update: allow, delete: allow },
  queries: {
    busy: { on: "collection", access: allow, run: () => ({ sort: ["-bookCount"] }) },
  },
});

const book = defineResource("book", {
  fields: { id: z.uuid(), title: z.string(), year: z.int(), price: z.number(), authorId: z.uuid() },
  generated: { id: uuid() },
  relations: { author: belongsTo("author", "authorId") },
  access: { read: allow, create: allow, update: allow, delete: allow },
  filterable: ["title", "price"],
  sortable: ["price"],
  queries: {
    trending: {
      on: "collection",
      input: z.object({ year: z.int(), genre: z.string().optional() }),
      access: ({ principal }) => principal !== null,
      run: ({ input, principal, item }) => {
        expectTypeOf(input.year).toEqualTypeOf<number>();
        expectTypeOf(item).toEqualTypeOf<undefined>();
        expectTypeOf(principal).not.toBeAny();
        return { filter: { year: { eq: input.year }, author: { name: { ne: "x" } } }, sort: ["-price", "author.name"] };
      },
    },
    newest: { on: "collection", access: allow, run: async () => ({}) },
    similar: { on: "item", access: allow, run: ({ item }) => ({ filter: { year: { eq: item.year } } }) },
    summary: {
      on: "item",
      input: z.object({ words: z.int().optional() }),
      output: z.object({ text: z.string() }),
      access: allow,
      run: async ({ item, input, local, locals, store, stores }) => {
        expectTypeOf(input.words).toEqualTypeOf<number | undefined>();
        expectTypeOf((await store.list())[0]?.price).toEqualTypeOf<number | undefined>();
        expectTypeOf((await local.list({ filter: { price: { gt: 1 } } })).items[0]?.title).toEqualTypeOf<
          string | undefined
        >();
        expectTypeOf((await locals(author).get("1"))?.name).toEqualTypeOf<string | undefined>();
        expectTypeOf((await stores(author).get("1"))?.name).toEqualTypeOf<string | undefined>();
        // @ts-expect-error a query only reads
        void store.update;
        // @ts-expect-error a query only reads
        void stores(author).create;
        // @ts-expect-error a query only reads
        void local.delete;
        // @ts-expect-error a query only reads
        void locals(author).actions;
        return { text: item.title };
      },
    },
    stats: { on: "collection", output: z.object({ books: z.int() }), access: allow, run: () => ({ books: 1 }) },
  },
});

declare const local: Local<typeof book | typeof author>;

test("queries return rows with the caller's selection, or a value", async () => {
  const { queries } = local.book;
  const page = await queries.trending({ year: 2026 }, { select: { title: true, author: { select: { name: true } } } });
  expectTypeOf(page).toEqualTypeOf<LocalPage<{ title: string; author: { name: string } }>>();
  expectTypeOf((await queries.newest()).items[0]?.price).toEqualTypeOf<number | undefined>();
  expectTypeOf((await queries.newest({ select: { title: true } })).items[0]).toEqualTypeOf<
    { title: string } | undefined
  >();
  await queries.similar("1", { filter: { price: { lt: 5 } }, sort: ["-price"], page: { size: 2 }, count: true });
  expectTypeOf(await queries.summary("1")).toEqualTypeOf<{ text: string }>();
  expectTypeOf(await queries.summary("1", { words: 5 })).toEqualTypeOf<{ text: string }>();
  expectTypeOf(await queries.stats()).toEqualTypeOf<{ books: number }>();
  expectTypeOf((await local.author.queries.busy()).items[0]?.bookCount).toEqualTypeOf<number | undefined>();
});

test("rejects mistakes in calls", () => {
  const { queries } = local.book;
  // @ts-expect-error the input is required
  void queries.trending();
  // @ts-expect-error a wrong input
  void queries.trending({ year: "2026" });
  // @ts-expect-error 'year' isn't filterable
  void queries.newest({ filter: { year: { eq: 1 } } });
  // @ts-expect-error 'title' isn't sortable
  void queries.newest({ sort: ["title"] });
  // @ts-expect-error the id is missing
  void queries.similar();
  // @ts-expect-error a query that isn't there
  void queries.popular;
  // @ts-expect-error a value has no rows
  void queries.stats({ filter: {} });
});

const parts = {
  fields: { id: z.uuid(), title: z.string(), year: z.int() },
  generated: { id: uuid() },
  access: { read: allow, create: allow, update: allow, delete: allow },
};

test("rejects mistakes in definitions", () => {
  defineResource("book", {
    ...parts,
    // @ts-expect-error 'writer' is not a field
    queries: { a: { on: "collection", access: allow, run: () => ({ filter: { writer: { eq: "x" } } }) } },
  });
  defineResource("book", {
    ...parts,
    // @ts-expect-error 'writer' is not a field
    queries: { a: { on: "collection", access: allow, run: () => ({ sort: ["writer"] }) } },
  });
  defineResource("book", {
    ...parts,
    // @ts-expect-error the result must match the output
    queries: { a: { on: "item", output: z.string(), access: allow, run: () => 5 } },
  });
  defineResource("book", {
    ...parts,
    // @ts-expect-error the rule is missing
    queries: { a: { on: "item", output: z.string(), run: () => "" } },
  });
  defineResource("book", {
    ...parts,
    queries: {
      a: {
        on: "collection",
        // @ts-expect-error 'sort' is a parameter of lists
        input: z.object({ sort: z.string() }),
        access: allow,
        run: () => ({}),
      },
    },
  });
  defineResource("book", {
    ...parts,
    queries: {
      a: {
        on: "collection",
        // @ts-expect-error the input must be z.object(…)
        input: z.string(),
        access: allow,
        run: () => ({}),
      },
    },
  });
});
