import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineApi } from "./api.ts";
import { defineResource } from "../definition/define-resource.ts";
import { now, sequence, uuid } from "../definition/generated.ts";
import type { Principal } from "../definition/principal.ts";
import { belongsTo, hasMany, hasOne, manyToMany } from "../definition/relations.ts";
import { allow, owner, signedIn } from "../definition/rules.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

const seat = defineResource("seat", {
  key: ["row", "number"],
  fields: { row: z.string(), number: z.int32(), sold: z.date().nullable(), note: z.string().optional() },
  access: {
    ...access,
    read: ({ principal, input }) => {
      expectTypeOf(principal).toEqualTypeOf<Principal | null>();
      expectTypeOf(input).not.toBeAny();
      return { sold: { isNull: true }, row: { in: ["A"] } };
    },
  },
  relations: { ticket: hasOne("ticket", ["seatRow", "number"]) },
  filterable: ["row", "sold"],
  sortable: ["number"],
});
const ticket = defineResource("ticket", {
  key: "number",
  fields: {
    number: z.int(),
    seatRow: z.string(),
    holderId: z.uuid().nullable(),
    price: z.codec(z.string(), z.number(), { decode: Number, encode: String }),
    token: z.string().default(""),
    at: z.iso.datetime(),
  },
  generated: { number: sequence(), at: now() },
  internal: ["token"],
  relations: { holder: belongsTo("holder", "holderId"), perks: manyToMany("perk") },
  access: { ...access, update: owner("holderId"), fields: { price: { read: signedIn } } },
  actions: {
    refund: {
      on: "item",
      input: z.object({ why: z.string(), amount: z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String }) }),
      output: z.object({ left: z.number() }),
      access: signedIn,
      run: ({ item, input, principal, store, stores, signal }) => {
        expectTypeOf(item).toEqualTypeOf<{
          number: number;
          seatRow: string;
          holderId: string | null;
          price: number;
          token: string;
          at: string;
        }>();
        expectTypeOf(input).toEqualTypeOf<{ why: string; amount: bigint }>();
        expectTypeOf(principal).toEqualTypeOf<Principal | null>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        expectTypeOf(store.get).parameter(0).toEqualTypeOf<number>();
        expectTypeOf(stores("perk").list).not.toBeAny();
        return { left: 1 };
      },
    },
    count: {
      on: "collection",
      access: allow,
      run: ({ item, input }) => {
        expectTypeOf(item).toEqualTypeOf<undefined>();
        expectTypeOf(input).toEqualTypeOf<undefined>();
      },
    },
  },
});
const holder = defineResource("holder", {
  fields: { id: z.uuid(), name: z.string() },
  generated: { id: uuid() },
  relations: { tickets: hasMany("ticket", "holderId") },
  access,
  filterable: ["name"],
  sortable: ["name"],
});
const perk = defineResource("perk", { fields: { id: z.int32() }, access });

const { local, as } = defineApi({ resources: [seat, ticket, holder, perk] });

test("the types of an API contain no any", () => {
  expectTypeOf(local).not.toBeAny();
  expectTypeOf(as(null)).toEqualTypeOf(local);
  expectTypeOf(local.seat).not.toBeAny();
  expectTypeOf(local.seat.list).returns.resolves.not.toBeAny();
  expectTypeOf(local.ticket.actions).not.toBeAny();
  expectTypeOf<keyof typeof local>().toEqualTypeOf<"seat" | "ticket" | "holder" | "perk">();
});

test("ids have the type of the key", () => {
  expectTypeOf(local.seat.get).parameter(0).toEqualTypeOf<{ row: string; number: number }>();
  expectTypeOf(local.ticket.get).parameter(0).toEqualTypeOf<number>();
  expectTypeOf(local.holder.get).parameter(0).toEqualTypeOf<string>();
});

test("rows are plain objects of output types, without internal fields", async () => {
  expectTypeOf(await local.seat.get({ row: "A", number: 1 })).toEqualTypeOf<{
    row: string;
    number: number;
    sold: Date | null;
    note: string | undefined;
  } | null>();
  expectTypeOf(await local.ticket.get(1)).toEqualTypeOf<{
    number: number;
    seatRow: string;
    holderId: string | null;
    price: number;
    at: string;
  } | null>();
});

test("writes accept input types, without generated fields", () => {
  type Create = Parameters<typeof local.ticket.create>[0];
  expectTypeOf<Create>().toEqualTypeOf<{ seatRow: string; holderId: string | null; price: string }>();
  type Update = Parameters<typeof local.seat.update>[1];
  expectTypeOf<Update>().toEqualTypeOf<{
    row?: string;
    number?: number;
    sold?: Date | null;
    note?: string | undefined;
  }>();
});

test("relations are a row or a list, or null if they are optional", async () => {
  const found = await local.ticket.get(1, { select: { holder: { select: { name: true } }, perks: true } });
  expectTypeOf(found).toEqualTypeOf<{ holder: { name: string } | null; perks: { id: number }[] } | null>();
  const { items } = await local.seat.list({ select: { ticket: { select: { number: true } } } });
  expectTypeOf(items).toEqualTypeOf<{ ticket: { number: number } | null }[]>();
});

test("actions", async () => {
  expectTypeOf(local.ticket.actions.refund).parameters.toEqualTypeOf<
    [id: number, input: { why: string; amount: string }]
  >();
  expectTypeOf(await local.ticket.actions.refund(1, { why: "", amount: "5" })).toEqualTypeOf<{ left: number }>();
  expectTypeOf(await local.ticket.actions.count()).toEqualTypeOf<undefined>();
});

test("filters accept only the operators of their fields", () => {
  void local.seat.list({ filter: { row: { startsWith: "A" }, sold: { gt: new Date() } } });
  void local.seat.list({ filter: { or: [{ row: "A" }, { not: { sold: { isNull: true } } }] } });
  // @ts-expect-error a date has no startsWith
  void local.seat.list({ filter: { sold: { startsWith: "2026" } } });
  // @ts-expect-error a text is not compared with a number
  void local.seat.list({ filter: { row: { eq: 1 } } });
  // @ts-expect-error many rows need some, every or none
  void local.holder.list({ filter: { tickets: { seatRow: "A" } } });
  // @ts-expect-error 'note' is not sortable
  void local.seat.list({ sort: ["note"] });
  // @ts-expect-error an action that is not there
  void local.ticket.actions.upgrade;
  // @ts-expect-error no many-to-many relation
  void local.ticket.link(1, "holder", "x");
});

test("inputs of updates have no immutable fields and no version", async () => {
  const note = defineResource("note", {
    fields: { id: z.uuid(), isbn: z.string(), text: z.string(), revision: z.int(), at: z.date() },
    generated: { id: uuid() },
    access,
    immutable: ["isbn"],
    version: "revision",
    filterable: ["text"],
    hooks: {
      create: {
        before: ({ input, operation, principal, store }) => {
          expectTypeOf(input).toEqualTypeOf<
            Partial<{ id: string; isbn: string; text: string; revision: number; at: Date }>
          >();
          expectTypeOf(operation.kind).toEqualTypeOf<string>();
          expectTypeOf(principal).not.toBeAny();
          expectTypeOf(store.get).parameter(0).toEqualTypeOf<string>();
          return { ...input, text: "changed" };
        },
        after: ({ item }) => expectTypeOf(item.at).toEqualTypeOf<Date>(),
      },
      update: { after: ({ previous, item }) => expectTypeOf(previous).toEqualTypeOf(item) },
    },
  });
  const api = defineApi({ resources: [note] });
  type Create = Parameters<typeof api.local.note.create>[0];
  expectTypeOf<Create>().toEqualTypeOf<{ isbn: string; text: string; at: Date }>();
  type Replace = Parameters<typeof api.local.note.replace>[1];
  expectTypeOf<Replace>().toEqualTypeOf<{ text: string; at: Date }>();
  expectTypeOf(api.local.note.createMany).returns.resolves.not.toBeAny();
  expectTypeOf(api.local.note.updateMany).returns.resolves.toEqualTypeOf<string[]>();
  void api.local.note.updateMany({ text: { contains: "a" } }, { text: "b" });
  // @ts-expect-error 'isbn' is immutable
  void api.local.note.update("x", { isbn: "1" });
  // @ts-expect-error 'isbn' is not filterable
  void api.local.note.deleteMany({ isbn: "1" });
  // @ts-expect-error a version is text
  void api.local.note.delete("x", { ifMatch: 1 });
});

test("rejects mistakes in a definition of a resource", () => {
  const fields = { id: z.uuid(), text: z.string() };
  // @ts-expect-error there is no field 'revision'
  defineResource("a", { fields, access, version: "revision" });
  // @ts-expect-error there is no field 'isbn'
  defineResource("b", { fields, access, immutable: ["isbn"] });
  // @ts-expect-error there is no operation 'creat'
  defineResource("c", { fields, access, hooks: { creat: {} } });
  // @ts-expect-error a hook gives back fields of the row
  defineResource("d", { fields, access, hooks: { create: { before: () => ({ text: 5 }) } } });
  // @ts-expect-error how many rows is a number
  defineResource("e", { fields, access, bulk: { create: true } });
});

test("options of GraphQL accept only known words", () => {
  const resources = [seat, ticket, holder, perk] as const;
  defineApi({
    resources,
    graphql: { status: "draft-2026", persisted: { documents: { a: "{ seats { totalCount } }" } } },
  });
  // @ts-expect-error: there is no such way to choose a status.
  defineApi({ resources, graphql: { status: "modern" } });
  // @ts-expect-error: there is no such option.
  defineApi({ resources, graphql: { suggestion: false } });
  // @ts-expect-error: documents are texts.
  defineApi({ resources, graphql: { persisted: { documents: { a: 1 } } } });
  // @ts-expect-error: there is no such limit.
  defineApi({ resources, limits: { documentNesting: 3 } });
});
