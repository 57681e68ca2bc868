import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { belongsTo, hasMany } from "./relations.ts";
import { decimal } from "./decimal.ts";
import { defineResource } from "./define-resource.ts";
import type { Local } from "./local.ts";
import { allow } from "./rules.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const sale = defineResource("sale", {
  fields: {
    id: z.uuid(),
    amount: z.number(),
    pages: z.bigint().nullable(),
    price: decimal({ precision: 9, scale: 2 }),
    soldAt: z.date(),
    country: z.enum(["de", "fr"]).nullable(),
    secret: z.number().nullable(),
  },
  access,
  internal: ["secret"],
  filterable: ["amount"],
  aggregatable: ["amount", "pages", "price", "soldAt"],
  groupable: ["country", "soldAt"],
});
const plain = defineResource("plain", { fields: { id: z.uuid() }, access });
declare const local: Local<typeof sale | typeof plain>;

test("the result has exactly the requested values", async () => {
  const { groups, total } = await local.sale.aggregate({
    aggregate: ["count", "sum.amount", "avg.pages", "sum.pages", "max.soldAt", "avg.price"],
    group: ["country", "soldAt.month"],
    filter: { amount: { gt: 0 } },
    having: { count: { gte: 2 }, "max.soldAt": { gte: new Date() }, or: [{ "sum.pages": 1n }, { not: {} }] },
    sort: ["-count", "country", "-soldAt.month", "avg.amount"],
    page: { size: 5 },
  });
  expectTypeOf(total).toEqualTypeOf<number>();
  expectTypeOf(groups).toEqualTypeOf<
    {
      group: { country: "de" | "fr" | null; "soldAt.month": string };
      count: number;
      sum: { amount: number | null; pages: bigint | null };
      avg: { pages: number | null; price: string | null };
      max: { soldAt: Date | null };
    }[]
  >();
  const { groups: none } = await local.sale.aggregate({ group: ["country"] });
  expectTypeOf(none).toEqualTypeOf<{ group: { country: "de" | "fr" | null } }[]>();
});

test("fields of to-one relations have their own types, and can be missing", async () => {
  const shop = defineResource("shop", {
    fields: { id: z.uuid(), city: z.string(), opened: z.date() },
    access,
  });
  const visit = defineResource("visit", {
    fields: { id: z.uuid(), shopId: z.uuid() },
    relations: { shop: belongsTo("shop", "shopId") },
    access,
    groupable: ["shopId", "shop.city", "shop.opened"],
  });
  const calls = {} as Local<typeof shop | typeof visit>;
  const { groups } = await calls.visit.aggregate({ group: ["shop.city", "shop.opened", "shop.opened.year", "shopId"] });
  expectTypeOf(groups).toEqualTypeOf<
    {
      group: {
        "shop.city": string | null;
        "shop.opened": Date | null;
        "shop.opened.year": string | null;
        shopId: string;
      };
    }[]
  >();
  // @ts-expect-error not groupable
  await calls.visit.aggregate({ group: ["shop.id"] });
  // @ts-expect-error unknown relation
  defineResource("wrong", { fields: { id: z.uuid() }, access, groupable: ["shop.city"] });
});

test("mistakes don't compile", async () => {
  // @ts-expect-error unknown field
  await local.sale.aggregate({ aggregate: ["sum.amunt"] });
  // @ts-expect-error dates have no sum
  await local.sale.aggregate({ aggregate: ["sum.soldAt"] });
  // @ts-expect-error not aggregatable
  await local.sale.aggregate({ aggregate: ["max.country"] });
  // @ts-expect-error not groupable
  await local.sale.aggregate({ group: ["amount"] });
  // @ts-expect-error numbers have no month
  await local.sale.aggregate({ group: ["country.month.x"] });
  // @ts-expect-error not grouped by
  await local.sale.aggregate({ aggregate: ["count"], sort: ["country"] });
  // @ts-expect-error numbers are compared with numbers
  await local.sale.aggregate({ aggregate: ["count"], having: { count: { gte: "2" } } });
  // @ts-expect-error nothing is declared but the count
  await local.plain.aggregate({ aggregate: ["max.id"] });
  await local.plain.aggregate({ aggregate: ["count"] });
  defineResource("broken", {
    fields: { id: z.uuid() },
    access,
    // @ts-expect-error unknown field
    aggregatable: ["amount"],
    // @ts-expect-error unknown field
    groupable: ["amount"],
  });
});

test("groups of a relation have exactly the requested values", async () => {
  const shop = defineResource("shop", {
    fields: { id: z.uuid(), city: z.string() },
    relations: { visits: hasMany("visit", "shopId") },
    access,
  });
  const visit = defineResource("visit", {
    fields: { id: z.uuid(), shopId: z.uuid(), spent: z.bigint(), at: z.date(), note: z.string() },
    relations: { shop: belongsTo("shop", "shopId") },
    access,
    filterable: ["note"],
    aggregatable: ["spent", "at"],
    groupable: ["at", "shop.city"],
  });
  const api = {} as Local<typeof shop | typeof visit>;
  const { items } = await api.shop.list({
    select: {
      city: true,
      visits: {
        aggregate: ["count", "avg.spent", "max.at"],
        group: ["at.month", "shop.city"],
        filter: { note: "x" },
        having: { count: { gte: 2 } },
        sort: ["-count", "at.month"],
        page: { size: 3 },
      },
    },
  });
  expectTypeOf(items).toEqualTypeOf<
    {
      city: string;
      visits: {
        group: { "at.month": string; "shop.city": string | null };
        count: number;
        avg: { spent: number | null };
        max: { at: Date | null };
      }[];
    }[]
  >();
  const far = await api.visit.get("1", { select: { shop: { select: { visits: { aggregate: ["sum.spent"] } } } } });
  expectTypeOf(far).toEqualTypeOf<{
    shop: { visits: { group: {}; sum: { spent: bigint | null } }[] };
  } | null>();
  const grouped = await api.shop.get("1", { select: { visits: { group: ["at"] } } });
  expectTypeOf(grouped).toEqualTypeOf<{ visits: { group: { at: Date } }[] } | null>();
  // @ts-expect-error not aggregatable
  void (() => api.shop.list({ select: { visits: { aggregate: ["max.note"] } } }));
  // @ts-expect-error not groupable
  void (() => api.shop.list({ select: { visits: { group: ["note"] } } }));
  // @ts-expect-error no field of the groups
  void (() => api.shop.list({ select: { visits: { aggregate: ["count"], sort: ["note"] } } }));
  // @ts-expect-error groups have no fields of rows
  void (() => api.shop.list({ select: { visits: { aggregate: ["count"], select: { note: true } } } }));
  // @ts-expect-error a single row has no groups
  void (() => api.visit.list({ select: { shop: { aggregate: ["count"] } } }));
});
