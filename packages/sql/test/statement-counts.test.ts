import {
  allow,
  avg,
  belongsTo,
  count,
  defineApi,
  defineResource,
  hasMany,
  manyToMany,
  memoryStore,
  type Principal,
  principalId,
  silentLog,
  type Store,
  uuid,
} from "@bifocal/core";
import { servers } from "@bifocal/test-servers";
import { request } from "@bifocal/test-servers/request";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const ANN: Principal = { id: "ann", claims: { shop: "a" } };
const BEN: Principal = { id: "ben", claims: { shop: "b" } };

const access = { read: allow, create: allow, update: allow, delete: allow };
const tenant = { field: "shopId", of: ({ claims }: Principal) => claims?.["shop"] as string } as const;
const common = { id: z.uuid(), shopId: z.string(), deletedAt: z.iso.datetime().nullable() };
const conventions = { tenant, softDelete: "deletedAt", access: { ...access, deleted: allow } } as const;

const person = defineResource("person", {
  ...conventions,
  fields: { ...common, name: z.string() },
  generated: { id: uuid() },
  relations: { books: hasMany("book", "authorId") },
  computed: { bookCount: count("books") },
  filterable: ["bookCount"],
  sortable: ["name"],
});
const book = defineResource("book", {
  ...conventions,
  fields: { ...common, title: z.string(), authorId: z.uuid(), createdBy: z.string().nullable() },
  generated: { id: uuid(), createdBy: principalId() },
  relations: {
    author: belongsTo("person", "authorId"),
    reviews: hasMany("review", "bookId"),
    tags: manyToMany("tag", { links: 5 }),
  },
  computed: { reviewCount: count("reviews"), stars: avg("reviews", "stars") },
  filterable: ["reviewCount"],
  groupable: ["authorId"],
  sortable: ["reviewCount", "title"],
  search: ["title", "author.name"],
  history: true,
});
const review = defineResource("review", {
  ...conventions,
  fields: { ...common, stars: z.int32(), bookId: z.uuid(), personId: z.uuid() },
  generated: { id: uuid() },
  relations: { book: belongsTo("book", "bookId"), person: belongsTo("person", "personId") },
  aggregatable: ["stars"],
  groupable: ["stars"],
  sortable: ["stars"],
});
const tag = defineResource("tag", {
  fields: { id: z.uuid(), name: z.string() },
  generated: { id: uuid() },
  relations: { books: manyToMany("book") },
  access,
});

const READS: ReadonlySet<string> = new Set(["byKeys", "list", "listPer", "listTexts", "aggregate", "aggregatePer"]);

/** Records the reads of a store. */
function countCalls(store: Store): { readonly store: Store; readonly calls: string[] } {
  const calls: string[] = [];
  const counted = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]): unknown => {
        const [query] = args as readonly [{ readonly resource: { readonly name: string } }];
        if (READS.has(String(name))) calls.push(`${query.resource.name}.${String(name)}`);
        return (member as (...all: readonly unknown[]) => unknown).apply(target, [...args]);
      };
    },
  });
  return { store: counted, calls };
}

const openApi = (store: Store) =>
  defineApi({
    resources: [person, book, review, tag],
    store,
    auth: { challenge: "Bearer", schemes: { bearer: { type: "http", scheme: "bearer" } }, authenticate: () => ANN },
    log: silentLog,
    limits: { query: { cost: 1e9 } },
  });
type Api = ReturnType<typeof openApi>;

async function addBooks(api: Api, from: number, to: number): Promise<void> {
  for (const principal of [ANN, BEN]) {
    const local = api.as(principal);
    const author = await local.person.create({ name: `author ${from}` });
    const label = await local.tag.create({ name: `tag ${from}` });
    for (let at = from; at < to; at++) {
      const made = await local.book.create({ title: `book ${at}`, authorId: author.id, tags: [label.id] });
      for (const stars of [1, 2, 5]) await local.review.create({ stars, bookId: made.id, personId: author.id });
      await local.book.update(made.id, { title: `book ${at} again` });
      if (at % 3 === 0) await local.book.delete(made.id).catch(() => undefined);
    }
  }
}

/** Local calls select histories like styles do, but without types. */
const withHistory = <const Select extends object>(select: Select): Select => ({
  ...select,
  history: { page: { size: 3 }, select: { operation: true } },
});

/** Everything at once: a search, totals, computed fields, rows of relations, their groups, and histories. */
const read = (api: Api) =>
  api.as(ANN).book.list({
    search: "book aga",
    filter: { reviewCount: { gte: 1 } },
    sort: ["-reviewCount", "author.name", "title"],
    count: true,
    page: { size: 40 },
    select: withHistory({
      title: true,
      reviewCount: true,
      stars: true,
      author: { select: { name: true, bookCount: true } },
      reviews: { sort: ["-stars"], page: { size: 2 }, select: { stars: true, person: { select: { name: true } } } },
      tags: { select: { name: true } },
    }),
  });

const groups = (api: Api) =>
  api.as(ANN).review.aggregate({ aggregate: ["count", "avg.stars"], group: ["stars"], having: { count: { gte: 1 } } });

/** The page of groups by a foreign key, which has the labels of its rows. */
async function labeledGroups(api: Api): Promise<string> {
  const headers = { host: "test", accept: "text/html" };
  const response = await api.handle(request("GET", "/books/aggregate?group=authorId&aggregate=count", { headers }));
  return response?.body as string;
}

const CALLS = ["book.list", "bookHistory.listPer", "person.byKeys", "person.byKeys", "review.listPer", "tag.listPer"];

const OPENED = [
  {
    name: "memory",
    missing: undefined,
    open: () => Promise.resolve({ store: memoryStore(), explain: undefined, close: async () => {} }),
  },
  ...servers.map(({ name, missing, create }) => ({
    name,
    missing,
    open: async () => {
      const database = await create();
      const store = sqlStore({ url: database.url, autoCreate: true, max: 2 });
      return { store, explain: store.explain, close: () => database.drop() };
    },
  })),
];

describe.each(OPENED)("on $name", ({ missing, open }) => {
  test.skipIf(missing !== undefined)(
    "one call for each relation and level reads any number of rows with every feature on",
    async () => {
      const opened = await open();
      const { store, calls } = countCalls(opened.store);
      const api = openApi(store);
      try {
        const used: (readonly [calls: readonly string[], statements: number])[] = [];
        const rows: number[] = [];
        for (const [from, to] of [
          [0, 3],
          [3, 20],
        ] as const) {
          await addBooks(api, from, to);
          for (const work of [read, groups, labeledGroups]) {
            calls.length = 0;
            const explanation = await opened.explain?.(() => work(api));
            if (explanation === undefined) await work(api);
            used.push([[...calls].sort(), explanation?.statements.length ?? 0]);
          }
          rows.push((await read(api)).items.length);
        }
        const [first, firstGroups, firstLabeled, ...later] = used;
        expect(later).toEqual([first, firstGroups, firstLabeled]);
        expect(first?.[0]).toEqual(CALLS);
        // One more for the total.
        expect(first?.[1]).toBeLessThanOrEqual(CALLS.length + 1);
        expect(firstGroups?.[0]).toEqual(["review.aggregate"]);
        expect(firstGroups?.[1]).toBeLessThanOrEqual(1);
        expect(firstLabeled?.[0]).toEqual(["book.aggregate", "person.list"]);
        expect(firstLabeled?.[1]).toBeLessThanOrEqual(2);
        // The authors of another tenant have no groups and no labels.
        expect((await labeledGroups(api)).match(/>author \d+</g)?.sort()).toEqual([">author 0<", ">author 3<"]);
        expect(rows[0]).toBeGreaterThan(0);
        expect(rows[1]).toBeGreaterThan((rows[0] ?? 0) + 5);
      } finally {
        await api.close();
        await opened.close();
      }
    },
    60_000,
  );
});
