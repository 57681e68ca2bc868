import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  hasOne,
  manyToMany,
  memoryStore,
  type Principal,
  silentLog,
} from "../src/index.ts";
import { send } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

/** A hall, whose seats have a key of two fields. */
const seat = defineResource("seat", {
  key: ["row", "number"],
  fields: { row: z.string(), number: z.int32(), price: z.int32(), hidden: z.boolean() },
  relations: {
    tickets: hasMany("ticket", ["seatRow", "seatNumber"], { creates: 3 }),
    reservation: hasOne("reservation", ["row", "number"]),
    perks: manyToMany("perk"),
  },
  access: {
    ...access,
    read: ({ principal }: { readonly principal: Principal | null }) =>
      principal === null ? { hidden: { eq: false } } : true,
  },
  filterable: ["row", "number", "price"],
  sortable: ["price"],
});
const ticket = defineResource("ticket", {
  fields: { id: z.int32(), seatRow: z.string(), seatNumber: z.int32().nullable(), isbn: z.string().nullable() },
  relations: {
    seat: belongsTo("seat", ["seatRow", "seatNumber"], { onDelete: "setNull", creates: 1 }),
    book: belongsTo("book", "isbn", { references: "isbn" }),
  },
  access,
  filterable: ["id", "seatRow"],
  sortable: ["id"],
  bulk: { create: 10, update: 10 },
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
  filterable: ["title", "isbn"],
  sortable: ["title"],
});

function start() {
  return defineApi({
    resources: [seat, ticket, reservation, perk, book],
    store: memoryStore({
      data: {
        seat: [
          { row: "A", number: 1, price: 30, hidden: false },
          { row: "A", number: 2, price: 10, hidden: false },
          { row: "B", number: 1, price: 20, hidden: false },
          { row: "Z", number: 9, price: 5, hidden: true },
        ],
        ticket: [
          { id: 1, seatRow: "A", seatNumber: 1, isbn: "11" },
          { id: 2, seatRow: "A", seatNumber: 1, isbn: null },
          { id: 3, seatRow: "B", seatNumber: 1, isbn: "11" },
          { id: 4, seatRow: "B", seatNumber: null, isbn: "22" },
        ],
        reservation: [{ row: "A", number: 1, by: "Ann" }],
        perk: [
          { kind: "view", level: 1 },
          { kind: "view", level: 2 },
        ],
        book: [
          { id: 1, isbn: "11", title: "Emma" },
          { id: 2, isbn: "22", title: "Persuasion" },
          { id: 3, isbn: null, title: "Draft" },
        ],
        perk_seat: [
          { seatRow: "A", seatNumber: 1, perkKind: "view", perkLevel: 1 },
          { seatRow: "A", seatNumber: 1, perkKind: "view", perkLevel: 2 },
          { seatRow: "B", seatNumber: 1, perkKind: "view", perkLevel: 1 },
        ],
      },
    }),
    log: silentLog,
  });
}

let api: ReturnType<typeof start>;
beforeEach(() => {
  api = start();
});

const get = async (url: string): Promise<unknown> => (await send(api, "GET", url)).body;
const query = async (text: string): Promise<unknown> =>
  (await send(api, "POST", "/graphql", { body: { query: text } })).body;
const ids = (rows: unknown): unknown => (rows as readonly { id: unknown }[]).map(({ id }) => id);

describe("a reference of several fields", () => {
  test("is included in both directions and both styles", async () => {
    expect(await get("/tickets?fields=id,seat.price&sort=id")).toEqual([
      { id: 1, seat: { price: 30 } },
      { id: 2, seat: { price: 30 } },
      { id: 3, seat: { price: 20 } },
      { id: 4, seat: null },
    ]);
    expect(await get("/seats/A,1?fields=price,tickets.id,reservation.by,perks.level")).toEqual({
      price: 30,
      tickets: [{ id: 1 }, { id: 2 }],
      reservation: { by: "Ann" },
      perks: [{ level: 1 }, { level: 2 }],
    });
    expect(
      await query(`{ seats(first: 3) { nodes { price tickets(first: 1) { totalCount nodes { id seat { price } } }
        reservation { by } perks(first: 5) { nodes { level seats { totalCount } } } } } }`),
    ).toEqual({
      data: {
        seats: {
          nodes: [
            {
              price: 30,
              tickets: { totalCount: 2, nodes: [{ id: "1", seat: { price: 30 } }] },
              reservation: { by: "Ann" },
              perks: {
                nodes: [
                  { level: "1", seats: { totalCount: 2 } },
                  { level: "2", seats: { totalCount: 1 } },
                ],
              },
            },
            { price: 10, tickets: { totalCount: 0, nodes: [] }, reservation: null, perks: { nodes: [] } },
            {
              price: 20,
              tickets: { totalCount: 1, nodes: [{ id: "3", seat: { price: 20 } }] },
              reservation: null,
              perks: { nodes: [{ level: "1", seats: { totalCount: 2 } }] },
            },
          ],
        },
      },
    });
  });

  test("works in filters, sorts and paths", async () => {
    expect(ids(await get("/tickets?filter[seat.price][gte]=25"))).toEqual([1, 2]);
    const all = api.as({ id: "1" }).ticket;
    expect(ids((await all.list({ sort: ["seat.price", "id"] })).items)).toEqual([3, 1, 2, 4]);
    expect(ids((await all.list({ sort: ["-seat.price", "id"], page: { size: 2 } })).items)).toEqual([4, 1]);
    expect(await get("/seats?filter[tickets][none][id][gte]=1&fields=price")).toEqual([{ price: 10 }]);
    expect(ids(await get("/seats/A,1/tickets"))).toEqual([1, 2]);
    expect(await get("/perks/view,1/seats?fields=price")).toEqual([{ price: 30 }, { price: 20 }]);
  });

  test("is checked, and treats hidden rows like missing ones", async () => {
    const missing = await send(api, "POST", "/tickets", { body: { id: 5, seatRow: "A", seatNumber: 9, isbn: null } });
    const hidden = await send(api, "POST", "/tickets", { body: { id: 5, seatRow: "Z", seatNumber: 9, isbn: null } });
    expect(missing.body).toMatchObject({
      status: 422,
      errors: [
        { path: ["seatRow"], message: "There is no seat with these values of row, number.", code: "unknown_reference" },
      ],
    });
    expect(hidden.body).toEqual(missing.body);
    const seen = await api.as({ id: "1" }).ticket.create({ id: 5, seatRow: "Z", seatNumber: 9, isbn: null });
    expect(seen.id).toBe(5);
  });

  test("is checked together with the other part if an update sets only one", async () => {
    const move = (id: number, body: unknown) => send(api, "PATCH", `/tickets/${id}`, { body });
    expect((await move(1, { seatNumber: 2 })).status).toBe(200);
    expect((await move(1, { seatNumber: 3 })).body).toMatchObject({ errors: [{ path: ["seatRow"] }] });
    expect((await move(3, { seatNumber: 2 })).status).toBe(422);
    expect((await move(3, { seatNumber: null })).status).toBe(200);
    const all = await send(api, "PATCH", "/tickets?filter[id][gte]=1", { body: { seatNumber: 2 } });
    expect(all.body).toMatchObject({ status: 422 });
    expect((await send(api, "PATCH", "/tickets?filter[seatRow]=A", { body: { seatNumber: 2 } })).status).toBe(200);
  });

  test("is created with the row or within it", async () => {
    const nested = await send(api, "POST", "/seats?include=tickets", {
      body: { row: "C", number: 1, price: 1, hidden: false, tickets: [{ id: 6, isbn: null }] },
    });
    expect(nested.body).toMatchObject({ tickets: [{ id: 6, seatRow: "C", seatNumber: 1 }] });
    const owner = await send(api, "POST", "/tickets?include=seat", {
      body: { id: 7, isbn: null, seat: { row: "D", number: 1, price: 1, hidden: false } },
    });
    expect(owner.body).toMatchObject({ id: 7, seatRow: "D", seatNumber: 1, seat: { price: 1 } });
    const within = await send(api, "POST", "/seats/D,1/tickets", { body: { id: 8, isbn: null } });
    expect(within.body).toMatchObject({ id: 8, seatRow: "D", seatNumber: 1 });
    const other = await send(api, "POST", "/seats/D,1/tickets", { body: { id: 9, isbn: null, seatNumber: 2 } });
    expect(other.body).toMatchObject({ status: 422, errors: [{ path: ["seatNumber"], code: "contradiction" }] });
    const both = await send(api, "POST", "/tickets", {
      body: { id: 9, isbn: null, seatRow: "D", seat: { row: "E", number: 1, price: 1, hidden: false } },
    });
    expect(both.body).toMatchObject({ errors: [{ path: ["seat"], code: "contradiction" }] });
    const created = await query(`mutation { createSeat(input: { row: "F", number: 2, price: 1, hidden: false,
      tickets: [{ id: 10 }] }) { tickets { nodes { seatRow seatNumber } } } }`);
    expect(created).toEqual({ data: { createSeat: { tickets: { nodes: [{ seatRow: "F", seatNumber: "2" }] } } } });
  });

  test("follows deletions: cascade, setNull and links", async () => {
    expect((await send(api, "DELETE", "/seats/A,1")).status).toBe(200);
    expect(await get("/tickets?filter[id][lte]=2&fields=seatRow,seatNumber")).toEqual([
      { seatRow: "A", seatNumber: null },
      { seatRow: "A", seatNumber: null },
    ]);
    expect(await get("/reservations")).toEqual([]);
    expect(await get("/perks/view,1/seats?fields=price")).toEqual([{ price: 20 }]);
    expect(await get("/perks/view,2/seats")).toEqual([]);
  });

  test("links and unlinks", async () => {
    expect((await send(api, "PUT", "/seats/A,2/perks/view,2")).status).toBe(204);
    expect(await get("/seats/A,2/perks")).toEqual([{ kind: "view", level: 2 }]);
    expect((await send(api, "DELETE", "/seats/A,2/perks/view,2")).status).toBe(204);
    expect(await get("/seats/A,2/perks")).toEqual([]);
  });

  test("selects the events of a subscription", async () => {
    const select = { id: true, seat: { select: { price: true } } } as const;
    const filter = { seat: { price: { gte: 25 } } } as const;
    const changes = api.as({ id: "1" }).ticket.watch({ initial: true, filter, select });
    for (const id of [1, 2]) {
      expect((await changes.next()).value).toEqual({ kind: "current", item: { id, seat: { price: 30 } } });
    }
    await api.local.ticket.create({ id: 11, seatRow: "A", seatNumber: 2, isbn: null });
    await api.local.ticket.create({ id: 12, seatRow: "A", seatNumber: 1, isbn: null });
    expect((await changes.next()).value).toMatchObject({ kind: "created", item: { id: 12, seat: { price: 30 } } });
    await changes.return?.();
  });

  test("prevents a rename while it is in use", async () => {
    const rename = await send(api, "PATCH", "/seats/A,1", { body: { number: 7 } });
    expect(rename.body).toMatchObject({
      status: 409,
      detail: "The key of this seat can't be changed while tickets reference it.",
    });
    expect((await send(api, "PATCH", "/seats/A,2", { body: { number: 7 } })).status).toBe(200);
  });
});

describe("a reference to a unique field", () => {
  test("is included, filtered and sorted by", async () => {
    expect(await get("/tickets?fields=id,book.title&sort=id")).toEqual([
      { id: 1, book: { title: "Emma" } },
      { id: 2, book: null },
      { id: 3, book: { title: "Emma" } },
      { id: 4, book: { title: "Persuasion" } },
    ]);
    expect(ids(await get("/tickets?filter[book.title]=Emma"))).toEqual([1, 3]);
    expect(ids(await get("/tickets?sort=-book.title,id"))).toEqual([2, 4, 1, 3]);
    expect(ids(await get("/books/1/tickets"))).toEqual([1, 3]);
    expect(await get("/books/3/tickets")).toEqual([]);
    expect(await query(`{ tickets(first: 1) { nodes { isbn book { title tickets { nodes { id } } } } } }`)).toEqual({
      data: {
        tickets: { nodes: [{ isbn: "11", book: { title: "Emma", tickets: { nodes: [{ id: "1" }, { id: "3" }] } } }] },
      },
    });
  });

  test("is checked", async () => {
    const create = (isbn: string | null) =>
      send(api, "POST", "/tickets", { body: { id: 5, seatRow: "A", seatNumber: 1, isbn } });
    expect((await create("33")).body).toMatchObject({
      status: 422,
      errors: [{ path: ["isbn"], message: "There is no book with this isbn.", code: "unknown_reference" }],
    });
    expect((await create("22")).status).toBe(201);
  });

  test("prevents changes and deletions of the value while it is in use", async () => {
    const change = (id: number, body: unknown) => send(api, "PATCH", `/books/${id}`, { body });
    expect((await change(1, { isbn: "12" })).body).toMatchObject({
      status: 409,
      detail: "The isbn of this book can't be changed while tickets reference it.",
    });
    expect((await change(1, { isbn: null })).status).toBe(409);
    expect((await change(1, { isbn: "11", title: "Emma." })).status).toBe(200);
    expect((await change(3, { isbn: "33" })).status).toBe(200);
    expect((await send(api, "DELETE", "/books/1")).body).toMatchObject({ status: 409 });
    expect((await send(api, "DELETE", "/books/3")).status).toBe(200);
  });

  test("creates rows within the referenced row, if it has a value", async () => {
    const within = (id: number) =>
      send(api, "POST", `/books/${id}/tickets`, { body: { id: 5, seatRow: "A", seatNumber: 1 } });
    expect((await within(2)).body).toMatchObject({ id: 5, isbn: "22" });
    expect((await within(3)).body).toMatchObject({
      status: 409,
      detail: "This book has no 'isbn' that a new row could reference.",
    });
  });
});

describe("JSON:API", () => {
  const headers = { accept: "application/vnd.api+json", "content-type": "application/vnd.api+json" };

  test("has a relationship for a reference of several fields, whose parts are attributes", async () => {
    const { body } = await send(api, "GET", "/tickets/1", { headers });
    expect(body).toMatchObject({
      data: {
        attributes: { seatRow: "A", seatNumber: 1, isbn: "11" },
        relationships: { seat: { data: { type: "seats", id: "A,1" } } },
      },
    });
    const set = (id: string) =>
      send(api, "PATCH", "/tickets/1/relationships/seat", { headers, body: { data: { type: "seats", id } } });
    expect((await set("B,1")).status).toBe(204);
    expect((await set("B,7")).status).toBe(422);
    expect((await set("B")).status).toBe(422);
    expect(await get("/tickets/1")).toMatchObject({ seatRow: "B", seatNumber: 1 });
  });

  test("shows the id of a row that another unique field references only if it is included", async () => {
    const plain = (await send(api, "GET", "/tickets/1", { headers })).body as { data: { relationships: object } };
    expect(plain.data.relationships).not.toHaveProperty("book.data");
    const included = await send(api, "GET", "/tickets/1?include=book", { headers });
    expect(included.body).toMatchObject({ data: { relationships: { book: { data: { type: "books", id: "1" } } } } });
    const data = { type: "tickets", id: "1", relationships: { book: { data: { type: "books", id: "2" } } } };
    const refused = await send(api, "PATCH", "/tickets/1", { headers, body: { data } });
    expect(refused.body).toMatchObject({
      errors: [{ status: "403", detail: "The relationship book can't be replaced. Change 'isbn' instead." }],
    });
  });
});
