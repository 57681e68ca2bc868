import {
  allow,
  apiKeys,
  belongsTo,
  count,
  defineApi,
  defineResource,
  generate,
  hasMany,
  hasRole,
  manyToMany,
  max,
  type Principal,
  type Store,
} from "@bifocal/core";
import { z } from "zod";

const open = { read: allow, create: allow, update: allow, delete: allow };
const soft = { ...open, deleted: hasRole("admin"), restore: hasRole("admin") };
const of = ({ claims }: Principal): string | undefined => claims?.["shop"] as string | undefined;
const tenant = { field: "shopId", of } as const;
/** The ISBN of another book of the shop. Books of several shops have it. */
const mentioned = z.string().nullable().default(null);
const deletedAt = z.iso.datetime().nullable();
const bulk = { create: 5, update: 5, delete: 5 };

export const ADA = { id: "ada", claims: { shop: "a" } };
/** A moderator of the shop of ADA. */
export const AMY = { id: "amy", roles: ["admin"], claims: { shop: "a" } };
export const BEN = { id: "ben", claims: { shop: "b" } };

/** A row of shop a whose changes mark how far the streams are. */
export const MARK = "90000000-0000-4000-8000-000000000001";
/** The idempotency keys that callers of both shops use. */
export const KEYS = ["k1", "k2", "k3"] as const;

/** Returns the id of a row: `kind` is 0 for those of shop a, 1 for those of shop b, and 2 for new ones. */
export function idOf(kind: 0 | 1 | 2 | 3, n: number): string {
  return `${kind}0000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

/** The ids of new rows: those that are planned, and then numbered ones. */
export interface Ids {
  readonly planned: string[];
  count: number;
}

/** Creates the API of two shops in one store. */
export function createShops(store: Store, ids: Ids) {
  const id = generate(() => ids.planned.shift() ?? idOf(2, ++ids.count));
  const country = defineResource("country", {
    key: "code",
    fields: { code: z.string(), name: z.string() },
    relations: { books: hasMany("book", "code") },
    computed: { bookCount: count("books"), dearest: max("books", "price") },
    access: { ...open, create: hasRole("admin"), update: hasRole("admin"), delete: hasRole("admin") },
    filterable: ["name", "bookCount", "dearest"],
    sortable: ["bookCount", "dearest"],
  });
  const book = defineResource("book", {
    fields: {
      id: z.uuid(),
      shopId: z.string(),
      isbn: z.string(),
      title: z.string(),
      price: z.int32(),
      code: z.string().nullable(),
      deletedAt,
    },
    generated: { id },
    tenant,
    softDelete: "deletedAt",
    history: true,
    unique: [["shopId", "isbn"]],
    relations: {
      mentions: hasMany("review", ["shopId", "mentioned"], { references: ["shopId", "isbn"] }),
      country: belongsTo("country", "code"),
      reviews: hasMany("review", "bookId", { creates: 2, writes: { create: 2, update: 2, delete: 2 } }),
      tags: manyToMany("tag", { links: 3 }),
    },
    access: soft,
    filterable: ["title", "isbn", "price"],
    sortable: ["title", "price"],
    aggregatable: ["price"],
    groupable: ["title"],
    search: ["title", "isbn"],
    bulk,
    queries: {
      cheap: {
        on: "collection",
        input: z.object({ most: z.int32() }),
        access: allow,
        run: ({ input: { most } }) => ({ filter: { price: { lte: most } }, sort: ["title"] }),
      },
      alike: {
        on: "item",
        access: allow,
        run: ({ item }) => ({ filter: { title: { eq: item.title }, reviews: { none: { stars: { gt: 4 } } } } }),
      },
      digest: {
        on: "item",
        access: allow,
        output: z.array(z.string()),
        run: async ({ item, local }) => {
          const { groups } = await local.aggregate({ aggregate: ["count", "sum.price"] });
          return [item.title, ...groups.map((group) => JSON.stringify(group))];
        },
      },
    },
    actions: {
      audit: {
        on: "collection",
        input: z.object({ id: z.string() }),
        output: z.array(z.string()),
        access: allow,
        run: async ({ store: rows, stores, local, input }) => {
          const [all, tags, one, own] = [
            await rows.list({}),
            await stores("tag").list({}),
            await rows.get(input.id),
            await local.list(),
          ];
          return [all.length, tags.length, one?.title, own.items.length].map(String);
        },
      },
      rename: {
        on: "item",
        access: allow,
        run: async ({ item, store: rows }) => void (await rows.update(item.id, { title: `${item.title}!` })),
      },
    },
  });
  const review = defineResource("review", {
    fields: { id: z.uuid(), shopId: z.string(), stars: z.int32(), bookId: z.uuid(), mentioned, deletedAt },
    generated: { id },
    tenant,
    softDelete: "deletedAt",
    relations: {
      book: belongsTo("book", "bookId", { onDelete: "cascade" }),
      other: belongsTo("book", ["shopId", "mentioned"], { references: ["shopId", "isbn"], onDelete: "setNull" }),
    },
    access: soft,
    filterable: ["stars"],
    sortable: ["stars"],
    aggregatable: ["stars"],
  });
  const tag = defineResource("tag", {
    fields: { id: z.uuid(), shopId: z.string(), name: z.string() },
    generated: { id },
    tenant,
    relations: { books: manyToMany("book") },
    access: open,
    filterable: ["name"],
  });
  // Callers choose its keys.
  const shelf = defineResource("shelf", {
    plural: "shelves",
    fields: { id: z.uuid(), shopId: z.string(), name: z.string() },
    tenant,
    upsert: true,
    unique: ["name"],
    access: open,
    filterable: ["name"],
  });
  const quiet = (): void => {};
  return defineApi({
    resources: [country, book, review, tag, shelf],
    store,
    auth: apiKeys({ ada: ADA, amy: AMY, ben: BEN, elsewhere: { ...ADA, claims: BEN.claims } }),
    secret: "0123456789abcdef0123456789abcdef",
    log: { info: quiet, warn: quiet, error: quiet },
  });
}

export type Shops = ReturnType<typeof createShops>;
