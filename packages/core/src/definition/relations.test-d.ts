import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineApi } from "../api/api.ts";
import { defineResource } from "./define-resource.ts";
import { belongsTo, hasMany, hasOne, manyToMany } from "./relations.ts";
import { allow } from "./rules.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

const seat = defineResource("seat", {
  key: ["row", "number"],
  fields: { row: z.string(), number: z.int32(), isbn: z.string(), view: z.date() },
  relations: { tickets: hasMany("ticket", ["seatRow", "seatNumber"], { creates: 2 }), perks: manyToMany("perk") },
  unique: ["isbn"],
  access,
});
const perk = defineResource("perk", {
  key: ["kind", "level"],
  fields: { kind: z.enum(["view", "food"]), level: z.int32() },
  access,
});
const ticket = defineResource("ticket", {
  fields: {
    id: z.int32(),
    seatRow: z.string(),
    seatNumber: z.int32(),
    standbyRow: z.string(),
    standbyNumber: z.int32().nullable(),
    isbn: z.string().optional(),
  },
  relations: {
    seat: belongsTo("seat", ["seatRow", "seatNumber"], { creates: 1 }),
    standby: belongsTo("seat", ["standbyRow", "standbyNumber"]),
    bySeat: belongsTo("seat", "isbn", { references: "isbn" }),
    swapped: belongsTo("seat", ["seatNumber", "seatRow"], { references: ["number", "row"] }),
  },
  access,
});

test("relations over several fields and unique fields keep their types", async () => {
  const api = defineApi({ resources: [seat, perk, ticket] });
  const [first] = (
    await api.local.ticket.list({
      select: { seat: { select: { row: true, perks: true } }, standby: { select: { row: true } }, bySeat: true },
      filter: { seat: { perks: { some: {} } } },
    })
  ).items;
  type Found = NonNullable<typeof first>;
  expectTypeOf<Found["seat"]>().toEqualTypeOf<{
    row: string;
    perks: { kind: "view" | "food"; level: number }[];
  }>();
  // A part of the reference can be missing.
  expectTypeOf<Found["standby"]>().toEqualTypeOf<{ row: string } | null>();
  expectTypeOf<Found["bySeat"]>().toEqualTypeOf<{ row: string; number: number; isbn: string; view: Date } | null>();

  const rest = { id: 1, standbyRow: "A", standbyNumber: null };
  await api.local.ticket.create({ ...rest, seatRow: "A", seatNumber: 1 });
  const made = { row: "A", number: 1, isbn: "1", view: new Date() };
  await api.local.ticket.create({ ...rest, seat: made });
  await api.local.seat.create({ ...made, tickets: [{ ...rest, isbn: "1" }] });
  // @ts-expect-error the nested row has the reference of its parent
  await api.local.seat.create({ ...made, tickets: [{ ...rest, seatNumber: 1 }] });
  // @ts-expect-error a part of the reference is missing
  await api.local.ticket.create({ ...rest, seatRow: "A" });
  // @ts-expect-error the reference and the new row contradict each other
  await api.local.ticket.create({ ...rest, seatRow: "A", seat: made });
});

test("mistakes in relations are compile errors", () => {
  const fields = { id: z.int32(), row: z.string(), number: z.int32(), day: z.date() };
  const one = defineResource("one", { fields, relations: { seat: belongsTo("seat", "row") }, access });
  // @ts-expect-error the key has two fields
  defineApi({ resources: [seat, perk, ticket, one] });
  const two = defineResource("two", { fields, relations: { seat: belongsTo("seat", ["number", "row"]) }, access });
  // @ts-expect-error the fields have other types than the key's, by position
  defineApi({ resources: [seat, perk, ticket, two] });
  const three = defineResource("three", {
    fields,
    relations: { seat: belongsTo("seat", "row", { references: "isbm" }) },
    access,
  });
  // @ts-expect-error the target has no such field
  defineApi({ resources: [seat, perk, ticket, three] });
  const four = defineResource("four", {
    fields,
    relations: { ticket: hasOne("ticket", "isbn", { references: "day" }) },
    access,
  });
  // @ts-expect-error a date never equals a string
  defineApi({ resources: [seat, perk, ticket, four] });
  const five = defineResource("five", {
    fields,
    relations: { tickets: hasMany("ticket", ["seatRow", "seatNumbre"], { references: ["row", "number"] }) },
    access,
  });
  // @ts-expect-error the target has no such field
  defineApi({ resources: [seat, perk, ticket, five] });
  defineResource("six", {
    fields,
    // @ts-expect-error this resource has no such field
    relations: { seat: belongsTo("seat", ["row", "nmber"]) },
    access,
  });
  defineResource("seven", {
    fields,
    // @ts-expect-error this resource has no such field
    relations: { tickets: hasMany("ticket", "isbn", { references: "isbn" }) },
    access,
  });
});
