import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import type { CheckTargets } from "./check-targets.ts";
import { defineResource } from "./define-resource.ts";
import { uuid } from "./generated.ts";
import type { Local } from "./local.ts";
import { belongsTo, hasMany } from "./relations.ts";
import type { AnyResource } from "./resource.ts";
import { allow, hasRole, owner, signedIn } from "./rules.ts";

const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string().min(1), secret: z.string().nullable() },
  generated: { id: uuid() },
  internal: ["secret"],
  relations: { books: hasMany("book", "authorId") },
  access: { read: allow, create: hasRole("editor"), update: owner("id"), delete: hasRole("admin") },
  filterable: ["name"],
  sortable: ["name"],
});
const book = defineResource("book", {
  fields: {
    id: z.uuid(),
    title: z.string().min(1),
    authorId: z.uuid(),
    price: z.number(),
    publishedAt: z.iso.date().nullable(),
  },
  generated: { id: uuid() },
  relations: { author: belongsTo("author", "authorId") },
  access: {
    read: allow,
    create: hasRole("editor"),
    update: ({ principal }) => ({ authorId: { eq: principal?.id } }),
    delete: hasRole("admin"),
    fields: { price: { read: signedIn } },
  },
  filterable: ["title", "price"],
  sortable: ["price"],
  actions: {
    publish: {
      on: "item",
      input: z.object({ at: z.iso.date() }),
      access: hasRole("editor"),
      run: ({ item, input, store }) => store.update(item.id, { publishedAt: input.at }),
    },
    count: {
      on: "collection",
      access: allow,
      output: z.number(),
      run: async ({ store }) => (await store.list()).length,
    },
  },
});
interface Book {
  id: string;
  title: string;
  authorId: string;
  price: number;
  publishedAt: string | null;
}
declare function api<const All extends readonly AnyResource[]>(
  options: { readonly resources: readonly [...All] } & NoInfer<CheckTargets<All>>,
): { local: Local<All[number]> };

test("local results are typed through relations", async () => {
  const { local } = api({ resources: [author, book] });
  const page = await local.book.list({
    filter: { price: { gte: 10 }, author: { name: { startsWith: "Le" } } },
    sort: ["-price", "author.name"],
    select: { title: true, author: { select: { name: true } } },
  });
  expectTypeOf(page.items).toEqualTypeOf<{ title: string; author: { name: string } }[]>();
  const one = await local.author.get("x", {
    select: { name: true, books: { page: { size: 3 }, select: { title: true } } },
  });
  expectTypeOf(one).toEqualTypeOf<{ name: string; books: { title: string }[] } | null>();
  const whole = await local.author.get("x");
  expectTypeOf(whole).toEqualTypeOf<{ id: string; name: string } | null>();
  await local.book.actions.publish("x", { at: "2026-01-01" });
  expectTypeOf(await local.book.actions.count()).toEqualTypeOf<number>();
  await local.book.create({ title: "x", authorId: "y", price: 1, publishedAt: null });
  // @ts-expect-error inputs can't contain generated fields
  await local.book.create({ id: "1", title: "x", authorId: "y", price: 1, publishedAt: null });
  // @ts-expect-error not filterable
  await local.book.list({ filter: { publishedAt: "2026-01-01" } });
  // @ts-expect-error not sortable
  await local.book.list({ sort: ["title"] });
  // @ts-expect-error internal
  await local.author.list({ select: { secret: true } });
});

test("a selection is checked within relations like at the top level", async () => {
  const { local } = api({ resources: [author, book] });
  // @ts-expect-error 'nme' isn't a field
  await local.book.list({ select: { author: { select: { nme: true } } } });
  // @ts-expect-error internal
  await local.author.get("x", { select: { books: { select: { author: { select: { secret: true } } } } } });
  // @ts-expect-error pages don't have 'siez'
  await local.author.list({ select: { books: { page: { siez: 5 } } } });
  // @ts-expect-error queries don't have 'limit'
  await local.author.list({ select: { books: { select: { title: true }, limit: 5 } } });
  // @ts-expect-error not sortable
  await local.author.list({ select: { books: { sort: ["title"] } } });
  // @ts-expect-error one row is neither filtered nor paged
  await local.book.list({ select: { author: { page: { size: 5 } } } });
  // @ts-expect-error fields are left out, not refused
  await local.book.list({ select: { title: false } });
  const select = { title: true, author: { select: { name: true, books: true } } } as const;
  const page = await local.book.list({ select });
  expectTypeOf(page.items[0]).toEqualTypeOf<{ title: string; author: { name: string; books: Book[] } } | undefined>();
  expectTypeOf((await local.book.list({ select: {} })).items).toEqualTypeOf<{}[]>();
});

test("a relation leads to a resource of the same API", () => {
  // @ts-expect-error 'author' names a resource that is not there
  api({ resources: [book] });
});
