import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  hasOne,
  manyToMany,
  memoryStore,
  type Store,
} from "@bifocal/core";
import type { ResourceModel } from "@bifocal/core/store";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const CONTEXT = { signal: undefined };

const seat = defineResource("seat", {
  key: ["row", "number"],
  fields: { row: z.string(), number: z.int32(), price: z.int32() },
  relations: {
    tickets: hasMany("ticket", ["seatRow", "seatNumber"]),
    reservation: hasOne("reservation", ["row", "number"]),
    perks: manyToMany("perk"),
  },
  access,
  filterable: ["row", "price"],
  sortable: ["price"],
});
const ticket = defineResource("ticket", {
  fields: { id: z.int32(), seatRow: z.string(), seatNumber: z.int32().nullable(), isbn: z.string().nullable() },
  relations: {
    seat: belongsTo("seat", ["seatRow", "seatNumber"], { onDelete: "setNull" }),
    book: belongsTo("book", "isbn", { references: "isbn" }),
  },
  access,
  filterable: ["id"],
  sortable: ["id"],
});
const reservation = defineResource("reservation", {
  key: ["row", "number"],
  fields: { row: z.string(), number: z.int32(), by: z.string() },
  relations: { seat: belongsTo("seat", ["row", "number"], { onDelete: "cascade" }) },
  access,
});
const perk = defineResource("perk", {
  key: ["kind", "level"],
  fields: { kind: z.string(), level: z.int32() },
  relations: { seats: manyToMany("seat") },
  access,
});
const book = defineResource("book", {
  fields: { id: z.int32(), isbn: z.string().nullable(), title: z.string() },
  unique: ["isbn"],
  relations: { tickets: hasMany("ticket", "isbn", { references: "isbn" }) },
  access,
  filterable: ["title"],
  sortable: ["title"],
});

function createApi(store: Store) {
  return defineApi({ resources: [seat, ticket, reservation, perk, book], store });
}

type Api = ReturnType<typeof createApi>;

async function fill({ local }: Api): Promise<void> {
  for (const [row, number, price] of [
    ["A", 1, 30],
    ["A", 2, 10],
    ["B", 1, 20],
    ["b", 1, 40],
  ] as const) {
    await local.seat.create({ row, number, price });
  }
  for (const level of [1, 2]) await local.perk.create({ kind: "view", level });
  await local.book.create({ id: 1, isbn: "11", title: "Emma" });
  await local.book.create({ id: 2, isbn: "22", title: "Persuasion" });
  await local.book.create({ id: 3, isbn: null, title: "Draft" });
  await local.ticket.create({ id: 1, seatRow: "A", seatNumber: 1, isbn: "11" });
  await local.ticket.create({ id: 2, seatRow: "A", seatNumber: 1, isbn: null });
  await local.ticket.create({ id: 3, seatRow: "B", seatNumber: 1, isbn: "11" });
  await local.ticket.create({ id: 4, seatRow: "B", seatNumber: null, isbn: "22" });
  await local.reservation.create({ row: "A", number: 1, by: "Ann" });
  for (const [row, number, level] of [
    ["A", 1, 1],
    ["A", 1, 2],
    ["B", 1, 1],
  ] as const) {
    await local.seat.link({ row, number }, "perks", { kind: "view", level });
  }
}

const memory = { name: "memory", missing: undefined, create: undefined } as const;

describe.each([memory, ...servers].filter(({ missing }) => missing === undefined))("$name", ({ name, create }) => {
  let database: TestDatabase | undefined;
  let api: Api;
  let store: Store;
  beforeAll(async () => {
    database = await create?.();
  }, 60_000);
  beforeEach(async () => {
    await database?.clear();
    store = database === undefined ? memoryStore() : sqlStore({ url: database.url, autoCreate: true });
    api = createApi(store);
    await fill(api);
    return () => api.close();
  }, 60_000);
  afterAll(() => database?.drop());

  test("reads references of several fields and to unique fields, in both directions", async () => {
    const { items } = await api.local.ticket.list({
      select: { id: true, seat: { select: { price: true } }, book: { select: { title: true } } },
    });
    expect(items).toEqual([
      { id: 1, seat: { price: 30 }, book: { title: "Emma" } },
      { id: 2, seat: { price: 30 }, book: null },
      { id: 3, seat: { price: 20 }, book: { title: "Emma" } },
      { id: 4, seat: null, book: { title: "Persuasion" } },
    ]);
    const seats = await api.local.seat.list({
      sort: ["-price"],
      select: {
        price: true,
        tickets: { sort: ["-id"], page: { size: 1 }, select: { id: true, seat: { select: { price: true } } } },
        reservation: { select: { by: true } },
        perks: { select: { level: true, seats: { page: { size: 1 }, select: { price: true } } } },
      },
    });
    const view = (level: number) => ({ level, seats: [{ price: 30 }] });
    expect(seats.items).toEqual([
      { price: 40, tickets: [], reservation: null, perks: [] },
      { price: 30, tickets: [{ id: 2, seat: { price: 30 } }], reservation: { by: "Ann" }, perks: [view(1), view(2)] },
      { price: 20, tickets: [{ id: 3, seat: { price: 20 } }], reservation: null, perks: [view(1)] },
      { price: 10, tickets: [], reservation: null, perks: [] },
    ]);
    const books = await api.local.book.list({
      sort: ["title"],
      select: { title: true, tickets: { select: { id: true } } },
    });
    expect(books.items.map(({ tickets }) => tickets.map(({ id }) => id))).toEqual([[], [1, 3], [4]]);
  });

  test("filters and sorts along them", async () => {
    const ids = async (query: Parameters<Api["local"]["ticket"]["list"]>[0]) =>
      (await api.local.ticket.list(query)).items.map((row) => row.id);
    expect(await ids({ filter: { seat: { price: { gte: 25 } } } })).toEqual([1, 2]);
    expect(await ids({ filter: { not: { seat: { price: { gte: 25 } } } } })).toEqual([3, 4]);
    expect(await ids({ filter: { book: { title: { eq: "Emma" } } } })).toEqual([1, 3]);
    expect(await ids({ filter: { seat: { perks: { none: {} } } } })).toEqual([]);
    expect(await ids({ sort: ["seat.price", "id"] })).toEqual([3, 1, 2, 4]);
    expect(await ids({ sort: ["-book.title", "id"] })).toEqual([2, 4, 1, 3]);
    const seats = await api.local.seat.list({ filter: { tickets: { every: { id: { lt: 2 } } } }, sort: ["price"] });
    expect(seats.items.map(({ price }) => price)).toEqual([10, 40]);
    const books = await api.local.book.list({ filter: { tickets: { some: { seat: { row: { eq: "B" } } } } } });
    expect(books.items.map(({ id }) => id)).toEqual([1, 2].slice(0, 1));
  });

  test("checks references, renames and deletions", async () => {
    const { ticket: tickets, seat: seats, book: books } = api.local;
    const rest = { seatRow: "A", seatNumber: 1, isbn: null };
    const unknown = { code: "VALIDATION_FAILED" };
    await expect(tickets.create({ ...rest, id: 5, seatNumber: 7 })).rejects.toMatchObject(unknown);
    await expect(tickets.create({ ...rest, id: 5, seatRow: "a" })).rejects.toMatchObject(unknown);
    await expect(tickets.create({ ...rest, id: 5, isbn: "33" })).rejects.toMatchObject(unknown);
    await expect(tickets.update(3, { seatNumber: 2 })).rejects.toMatchObject(unknown);
    await tickets.update(1, { seatNumber: 2 });
    await expect(seats.update({ row: "A", number: 2 }, { number: 7 })).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(books.update(1, { isbn: "12" })).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(books.delete(2)).rejects.toMatchObject({ code: "CONFLICT" });
    await books.update(3, { isbn: "33" });
    await seats.delete({ row: "A", number: 1 });
    expect(await tickets.get(2)).toMatchObject({ seatRow: "A", seatNumber: null });
    expect((await api.local.reservation.list()).items).toEqual([]);
    const { items } = await api.local.perk.list({ select: { seats: { select: { price: true } } } });
    expect(items).toEqual([{ seats: [{ price: 20 }] }, { seats: [] }]);
  });

  test("compares many values of several fields at once", async () => {
    const resource = api.model.resources.get("seat") as ResourceModel;
    const keys = Array.from({ length: 1_500 }, (_, at) => [at % 2 === 0 ? "A" : "B", Math.floor(at / 2)]);
    expect(await store.byKeys({ resource, keys }, CONTEXT)).toHaveLength(3);
    const filters = keys.map(([row = "", number = 0]) => ({
      kind: "and" as const,
      filters: [
        { kind: "compare" as const, field: "row", operator: "eq" as const, value: row },
        { kind: "compare" as const, field: "number", operator: "eq" as const, value: number },
      ],
    }));
    const sort = ["row", "number"].map((field) => ({ path: [field] as const, descending: false }));
    const found = await store.list({ resource, sort, limit: 9, filter: { kind: "or", filters } }, CONTEXT);
    expect(found.rows).toHaveLength(3);
  });

  test.skipIf(name === "memory")("a foreign key rejects what the engine didn't see", async () => {
    const resource = api.model.resources.get("ticket") as ResourceModel;
    const row = { id: 9, seatRow: "A", seatNumber: 9, isbn: null };
    // SQLite doesn't name the constraint.
    const issues =
      name === "sqlite"
        ? []
        : [
            {
              path: ["seatRow"],
              message: "There is no seat with these values of row, number.",
              code: "unknown_reference",
            },
          ];
    await expect(Promise.resolve(store.insert({ resource, rows: [row] }, CONTEXT))).rejects.toMatchObject({ issues });
    const whole = await Promise.resolve(store.insert({ resource, rows: [{ ...row, seatNumber: null }] }, CONTEXT));
    expect(whole).toHaveLength(1);
    const update = store.update(
      { resource: api.model.resources.get("book") as ResourceModel, key: 1, set: { isbn: "12" } },
      CONTEXT,
    );
    await expect(Promise.resolve(update)).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test.skipIf(name === "memory")(
    "the created schema is the wanted one, with one foreign key for a reference",
    async () => {
      const use = { store, model: api.model, resources: [...api.model.resources.values()] };
      expect(await store["~schema"]?.check(use, "no-such-folder")).toEqual([]);
    },
  );
});
