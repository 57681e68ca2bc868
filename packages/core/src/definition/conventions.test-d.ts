import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { avg, count, max, sum } from "./related-fields.ts";
import { defineResource } from "./define-resource.ts";
import { principalId, uuid } from "./generated.ts";
import type { Local } from "./local.ts";
import { hasMany } from "./relations.ts";
import type { AnyResource } from "./resource.ts";
import { allow, signedIn } from "./rules.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const fields = {
  id: z.uuid(),
  shopId: z.string(),
  title: z.string(),
  stars: z.int32(),
  createdBy: z.string(),
  deletedAt: z.iso.datetime().nullable(),
};
declare function api<const All extends readonly AnyResource[]>(resources: readonly [...All]): Local<All[number]>;

test("the server writes what the conventions declare", () => {
  const review = defineResource("review", {
    fields,
    generated: { id: uuid(), createdBy: principalId() },
    softDelete: "deletedAt",
    tenant: { field: "shopId", of: (principal) => principal.id },
    access: { ...access, deleted: signedIn, restore: signedIn },
  });
  const local = api([review]);
  expectTypeOf(local.review.create).parameter(0).toExtend<{ title: string; stars: number }>();
  void local.review.create({ title: "Emma", stars: 5 });
  void local.review.restore("x");
  void local.review.list({ deleted: "only" });
  // @ts-expect-error the server writes it
  void (() => local.review.create({ title: "Emma", stars: 5, deletedAt: null }));
  // @ts-expect-error no input can contain the tenant
  void (() => local.review.create({ title: "Emma", stars: 5, shopId: "a" }));
  // @ts-expect-error not one of the two words
  void (() => local.review.list({ deleted: "all" }));
});

test("a history has entries with the names of fields", async () => {
  const review = defineResource("review", { fields, internal: ["createdBy"], history: true, access });
  const local = api([review]);
  const { items } = await local.review.history("x", { filter: { by: "ann" }, page: { size: 5 }, count: true });
  type Entry = (typeof items)[number];
  expectTypeOf<Entry["operation"]>().toEqualTypeOf<"create" | "update" | "delete" | "restore">();
  expectTypeOf<Entry["changes"][number]["field"]>().toEqualTypeOf<"id" | "shopId" | "title" | "stars" | "deletedAt">();
  // @ts-expect-error deleted rows aren't kept
  void (() => local.review.history("x", { deleted: "with" }));
  // @ts-expect-error entries can't be filtered by their changes
  void (() => local.review.history("x", { filter: { changes: [] } }));
  // @ts-expect-error not a boolean
  defineResource("review", { fields, history: "yes", access });
  const other = api([defineResource("review", { fields, access })]);
  // @ts-expect-error it has no history
  void (() => other.review.history("x"));
});

test("mistakes in conventions are compile errors", () => {
  // @ts-expect-error an unknown field
  defineResource("review", { fields, softDelete: "deleted", access });
  // @ts-expect-error a field of another type
  defineResource("review", { fields, softDelete: "title", access });
  // @ts-expect-error an unknown field
  defineResource("review", { fields, tenant: { field: "shop", of: () => "a" }, access });
  // @ts-expect-error the id of a caller is text
  defineResource("review", { fields, generated: { stars: principalId() }, access });
  const kept = defineResource("review", { fields, access });
  const local = api([kept]);
  // @ts-expect-error rows are deleted for good
  void (() => local.review.restore("x"));
});

test("values of related rows have the types of aggregates", async () => {
  const review = defineResource("review", { fields: { ...fields, bookId: z.uuid() }, access });
  const book = defineResource("book", {
    fields: { id: z.uuid() },
    relations: { reviews: hasMany("review", "bookId") },
    computed: {
      reviewCount: count("reviews", { stars: { gte: 3 } }),
      stars: sum("reviews", "stars"),
      average: avg("reviews", "stars"),
      latest: max("reviews", "title"),
    },
    filterable: ["reviewCount", "average"],
    sortable: ["reviewCount", "stars", "average"],
    access,
  });
  const local = api([review, book]);
  await local.book.list({ filter: { average: { gte: 2.5, lt: 4 } }, sort: ["-average"] });
  // @ts-expect-error an average is a number
  void (() => local.book.list({ filter: { average: { gte: "2.5" } } }));
  // @ts-expect-error an average has no words
  void (() => local.book.list({ filter: { average: { contains: "2" } } }));
  // @ts-expect-error it isn't sortable
  void (() => local.book.list({ sort: ["-latest"] }));
  const { items } = await local.book.list({ filter: { reviewCount: { gte: 2 } }, sort: ["-stars", "reviewCount"] });
  expectTypeOf(items[0]?.reviewCount).toEqualTypeOf<number | undefined>();
  expectTypeOf(items[0]?.average).toEqualTypeOf<number | null | undefined>();
  // @ts-expect-error it isn't filterable
  void (() => local.book.list({ filter: { stars: { gte: 2 } } }));
  // @ts-expect-error a relation that doesn't exist
  defineResource("book", { fields: { id: z.uuid() }, computed: { n: count("review") }, access });
});
