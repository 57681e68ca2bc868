import type { Principal } from "@bifocal/core";
import type { Library } from "./library.ts";

/** The calls that a case makes, in process or over HTTP. */
type Calls = Library["local"];

interface Case {
  /** Default: Ann. */
  readonly as?: Principal | null;
  readonly run: (calls: Calls) => Promise<unknown>;
}

const id = (n: number, kind = "b"): string => `${kind}0000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const ANN = id(1, "a");
const addedAt = new Date("2026-02-03T04:05:06.000Z");
const plain = { genre: "novel" as const, addedAt, words: null, size: null, format: null };

/** Cursors are compared by use. */
function withoutCursors<T extends { startCursor: unknown; endCursor: unknown }>({
  startCursor,
  endCursor,
  ...page
}: T): unknown {
  return { ...page, hasCursors: [typeof startCursor, typeof endCursor] };
}

/** Each case runs on the rows that the previous ones left. */
export const CASES: Readonly<Record<string, Case>> = {
  "creates rows": {
    run: async ({ person, tag, shelf }) => [
      await person.create({ id: ANN, name: "Ann", email: "ann@example.org", born: 1990 }),
      await person.create({ id: id(2, "a"), name: "Bob", email: "bob@example.org", born: null }),
      await tag.create({ id: 1, name: "Classic" }),
      await tag.create({ id: 2, name: "Sale" }, { select: { name: true, writes: true } }),
      await shelf.create({ room: "a b,c/ü", slot: 1, label: "First" }),
    ],
  },
  "creates rows with dates, bigints, objects and unions": {
    run: async ({ book }) => [
      await book.create({ ...plain, id: id(1), title: "Emma", authorId: ANN, price: 10, words: 12345678901234567890n }),
      await book.create({
        ...plain,
        id: id(2),
        title: "Sonnets & más",
        authorId: id(2, "a"),
        price: 20,
        genre: "poem",
        size: { width: 2, height: 3 },
        format: { kind: "ebook", megabytes: 1.5 },
      }),
    ],
  },
  "creates many rows": {
    run: async ({ book }) =>
      book.createMany(
        [3, 4, 5].map((n) => ({
          ...plain,
          id: id(n),
          title: `Book ${n}`,
          authorId: ANN,
          price: n * 30,
          format: { kind: "paper" as const, pages: n },
        })),
        { select: { id: true, format: true } },
      ),
  },
  "creates rows along a relation": {
    run: async ({ person }) =>
      person.create(
        {
          id: id(3, "a"),
          name: "Cid",
          email: null,
          born: 1970,
          books: [{ ...plain, id: id(6), title: "Six", price: 6 }],
        },
        { select: { name: true, books: { select: { title: true } } } },
      ),
  },
  "lists rows": { run: async ({ book }) => withoutCursors(await book.list({ sort: ["title"] })) },
  "lists rows for an anonymous caller": {
    as: null,
    run: async ({ book }) => withoutCursors(await book.list({ sort: ["title"] })),
  },
  "lists with a filter, a sort and a count": {
    run: async ({ book }) =>
      withoutCursors(
        await book.list({
          filter: {
            price: { gte: 10, lt: 100 },
            or: [{ genre: "novel" }, { title: { contains: "&" } }],
            author: { name: { startsWith: "A" } },
          },
          sort: ["-price", "author.name"],
          count: true,
          select: { title: true, price: true, author: { select: { name: true } } },
        }),
      ),
  },
  "filters by lists, dates, bigints and null": {
    run: async ({ book }) => [
      (await book.list({ filter: { genre: { in: ["novel", "poem"] }, addedAt } })).items.length,
      (await book.list({ filter: { words: { gt: 12345678901234567889n } }, select: { title: true } })).items,
      (await book.list({ filter: { words: { isNull: true } }, sort: ["title"], select: { title: true } })).items,
      (await book.list({ filter: { id: { in: [] } } })).items,
      (await book.list({ filter: { not: { author: { name: "Ann" } } }, sort: ["title"], select: { title: true } }))
        .items,
    ],
  },
  "sends long filters": {
    run: async ({ book }) =>
      (await book.list({ filter: { id: { in: Array.from({ length: 150 }, (_, n) => id(n)) } }, sort: ["title"] })).items
        .length,
  },
  "reads pages forward and backward": {
    run: async ({ book }) => {
      const select = { title: true } as const;
      const first = await book.list({ sort: ["title"], page: { size: 2 }, select });
      const second = await book.list({ sort: ["title"], page: { size: 2, after: first.endCursor as string }, select });
      const back = await book.list({
        sort: ["title"],
        page: { size: 2, before: second.startCursor as string },
        select,
      });
      const offset = await book.list({ sort: ["title"], page: { size: 2, offset: 3 }, select });
      const last = await book.list({ sort: ["title"], page: { after: second.endCursor as string }, select });
      const beforeLast = await book.list({ sort: ["title"], page: { before: last.endCursor as string }, select });
      return [first, second, back, offset, last, beforeLast].map(withoutCursors);
    },
  },
  "reads an empty page": {
    run: async ({ book }) => withoutCursors(await book.list({ filter: { title: "none" }, count: true })),
  },
  "selects relations with their own lists": {
    run: async ({ person }) =>
      (
        await person.list({
          sort: ["name"],
          select: {
            name: true,
            books: {
              filter: { price: { lt: 100 } },
              sort: ["-price"],
              page: { size: 2 },
              select: { title: true, tags: true, author: { select: { name: true } } },
            },
          },
        })
      ).items,
  },
  "selects whole relations": { run: async ({ book }) => book.get(id(1), { select: { author: true, tags: true } }) },
  "selects nothing": { run: async ({ tag }) => (await tag.list({ select: {} })).items },
  "omits fields that the caller can't read": {
    run: async ({ person }) => (await person.list({ sort: ["name"] })).items,
  },
  "omits fields of nested rows that the caller can't read": {
    run: async ({ book, person }) => [
      (await book.list({ sort: ["title"], select: { title: true, author: true } })).items,
      await book.get(id(1), { select: { author: { select: { name: true, email: true } } } }),
      await book.get(id(2), { select: { author: { select: { name: true, email: true, born: true } } } }),
      (
        await person.list({
          sort: ["name"],
          select: { name: true, books: { sort: ["title"], select: { title: true, author: true } } },
        })
      ).items,
    ],
  },
  "omits fields that an anonymous caller can't read, and keeps those that are null": {
    as: null,
    run: async ({ book, person }) => [
      (await person.list({ sort: ["name"] })).items,
      (
        await person.list({
          sort: ["name"],
          select: { books: { sort: ["title"], select: { title: true, size: true, format: true } } },
        })
      ).items,
      await book.get(id(2), { select: { author: true, size: true } }),
      (await book.queries.cheap({ below: 50 }, { sort: ["title"] })).items,
    ],
  },
  "omits hidden fields of the rows that a write returns": {
    run: async ({ person }) => [
      await person.create({ id: id(9, "a"), name: "Dot", email: "dot@example.org", born: null }),
      await person.update(id(9, "a"), { born: 2000 }),
      await person.createMany([{ id: id(8, "a"), name: "Eve", email: null, born: null }]),
      await person.deleteMany({ name: { in: ["Dot", "Eve"] } }).then((ids) => ids.length),
    ],
  },
  "rejects an aggregate of a field that the caller can't read": {
    as: null,
    run: async ({ book }) => book.aggregate({ aggregate: ["count", "sum.words"], group: ["genre"] }),
  },
  "rejects a filter by a field that the caller can't read, along a relation": {
    as: null,
    run: async ({ person }) => person.list({ filter: { books: { some: { words: { gt: 1n } } } } }),
  },
  "rejects a filter by a field that the caller can't read": {
    as: null,
    run: async ({ book }) => book.list({ filter: { words: 1n } }),
  },
  "returns null for missing and hidden rows": {
    as: null,
    run: async ({ book, shelf, tag }) => [
      await book.get(id(99)),
      await book.get(id(5)),
      await shelf.get({ room: "x", slot: 9 }),
      await tag.get(77),
    ],
  },
  "updates rows": {
    run: async ({ book, person }) => [
      await book.update(id(1), { price: 11, addedAt: new Date("2027-01-01T00:00:00.000Z") }),
      await book.update(
        id(2),
        { size: { width: 9, height: 9 }, format: { kind: "paper", pages: 9 } },
        { select: { size: true, format: true } },
      ),
      await person.update(ANN, { born: null }),
    ],
  },
  "changes rows along a relation": {
    run: async ({ person }) =>
      person.update(
        id(3, "a"),
        {
          name: "Cyd",
          books: { create: [{ ...plain, id: id(7), title: "Seven", price: 7 }], update: [{ id: id(6), price: 66 }] },
        },
        { select: { name: true, books: { sort: ["title"], select: { title: true, price: true } } } },
      ),
  },
  "replaces rows": {
    run: async ({ tag, book }) => [
      await tag.replace(2, { id: 2, name: "Offer" }),
      await book.replace(id(6), {
        ...plain,
        id: id(6),
        title: "Sixth",
        authorId: ANN,
        price: 6,
        format: { kind: "paper", pages: 6 },
      }),
    ],
  },
  "links and unlinks rows": {
    run: async ({ book }) => {
      const select = { tags: { sort: ["name"], select: { name: true } } } as const;
      await book.link(id(1), "tags", 1);
      await book.link(id(1), "tags", 2);
      const linked = await book.get(id(1), { select });
      await book.unlink(id(1), "tags", 1);
      return [
        linked,
        await book.get(id(1), { select }),
        await book.update(id(1), { tags: { add: [1], remove: [2] } }, { select }),
        await book.update(id(1), { tags: [2] }, { select }),
      ];
    },
  },
  "calls actions": {
    run: async ({ book }) => [
      await book.actions.discount(id(1), { percent: 50 }),
      await book.actions.count(),
      await book.actions.ping(),
    ],
  },
  "calls queries that return rows": {
    run: async ({ book }) => [
      withoutCursors(
        await book.queries.cheap({ below: 50 }, { filter: { genre: "novel" }, count: true, select: { title: true } }),
      ),
      (
        await book.queries.cheap(
          { below: 50, genres: ["novel", "poem"] },
          { sort: ["title"], page: { size: 2 }, select: { title: true } },
        )
      ).items,
      (
        await book.queries.similar(id(1), {
          sort: ["title"],
          select: { title: true, author: { select: { name: true } } },
        })
      ).items,
    ],
  },
  "calls queries that return values": {
    run: async ({ book }) => [await book.queries.added(id(1)), await book.queries.stats()],
  },
  "returns NOT_FOUND for a query on a missing row": { run: async ({ book }) => book.queries.added(id(98)) },
  "returns UNAUTHENTICATED for a query that the caller can't run": {
    as: null,
    run: async ({ book }) => book.queries.stats(),
  },
  aggregates: {
    run: async ({ book }) => {
      const page = await book.aggregate({
        aggregate: ["count", "avg.price", "max.price", "min.addedAt", "sum.words"],
        group: ["genre", "addedAt.year"],
        filter: { price: { gt: 0 } },
        having: { count: { gte: 1 }, "max.price": { gt: 1 } },
        sort: ["-count"],
      });
      const all = await book.aggregate({ aggregate: ["count"] });
      return [withoutCursors(page), withoutCursors(all)];
    },
  },
  "selects groups of related rows": {
    run: async ({ person, book }) => [
      (
        await person.list({
          sort: ["name"],
          select: {
            name: true,
            books: {
              aggregate: ["count", "avg.price", "max.price", "min.addedAt", "sum.words"],
              group: ["genre", "addedAt.year"],
              filter: { price: { gt: 0 } },
              having: { count: { gte: 1 }, "max.price": { gt: 1 } },
              sort: ["-count", "genre"],
              page: { size: 2 },
            },
          },
        })
      ).items,
      await person.get(ANN, { select: { books: { aggregate: ["count"] } } }),
      await person.get(ANN, { select: { name: true, books: { group: ["addedAt"] } } }),
      await book.get(id(1), {
        select: { author: { select: { books: { aggregate: ["count"], filter: { price: { lt: 0 } } } } } },
      }),
    ],
  },
  "rejects groups of a field that the caller can't read": {
    as: null,
    run: async ({ person }) => person.list({ select: { name: true, books: { aggregate: ["sum.words"] } } }),
  },
  "updates many rows": {
    run: async ({ book, tag }) => [
      (await book.updateMany({ genre: "novel", price: { gte: 100 } }, { price: 99 })).sort(),
      await tag.updateMany({ name: "Offer" }, { name: "Deal" }),
    ],
  },
  "returns VALIDATION_FAILED for invalid input": { run: async ({ book }) => book.update(id(1), { price: -1 }) },
  "returns NOT_FOUND for a missing row": { run: async ({ book }) => book.update(id(98), { price: 1 }) },
  "returns UNAUTHENTICATED without credentials": {
    as: null,
    run: async ({ book }) => book.update(id(1), { price: 1 }),
  },
  "returns CONFLICT for an id that exists": { run: async ({ tag }) => tag.create({ id: 1, name: "Again" }) },
  "returns PRECONDITION_FAILED for another version": {
    run: async ({ tag }) => tag.update(1, { name: "x" }, { ifMatch: "99" }),
  },
  "writes with a known version": {
    run: async ({ tag }) => [
      await tag.update(1, { name: "y" }, { ifMatch: "1" }),
      await tag.update(1, { name: "z" }, { ifMatch: ["7", "2"] }),
      await tag.update(1, { name: "Classic" }, { ifMatch: "*" }),
    ],
  },
  "reads the history of a row": {
    run: async ({ tag }) => {
      const stable = ({ items, ...page }: Awaited<ReturnType<typeof tag.history>>): unknown[] => [
        items.map(({ by, operation, action, changes, at }) => {
          return { by, operation, action, changes, hasTime: !Number.isNaN(Date.parse(at)) };
        }),
        withoutCursors(page),
      ];
      const newest = await tag.history(1, { page: { size: 2 }, count: true });
      const after = newest.endCursor as string;
      return [
        stable(newest),
        stable(await tag.history(1, { page: { size: 2, after } })),
        stable(await tag.history(1, { filter: { operation: "create", by: { eq: ANN } } })),
      ];
    },
  },
  "returns NOT_FOUND for the history of a missing row": { run: async ({ tag }) => tag.history(77) },
  "deletes and restores rows": {
    run: async ({ shelf }) => {
      const key = { room: "a b,c/ü", slot: 1 };
      await shelf.delete(key);
      const deleted = (await shelf.list({ deleted: "only", select: { label: true } })).items;
      const before = await shelf.get(key);
      return [deleted, before, await shelf.restore(key)];
    },
  },
  "deletes rows": {
    run: async ({ book, shelf, tag }) => {
      await book.delete(id(7));
      return [await book.get(id(7)), await shelf.deleteMany({ room: "a b,c/ü" }), await tag.deleteMany({ id: 2 })];
    },
  },
};
