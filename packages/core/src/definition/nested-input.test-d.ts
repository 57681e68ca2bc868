import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineApi } from "../api/api.ts";
import { defineResource } from "./define-resource.ts";
import { belongsTo, hasMany, hasOne, manyToMany } from "./relations.ts";
import { allow } from "./rules.ts";
import { sequence, uuid } from "./generated.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const person = defineResource("person", {
  fields: { id: z.uuid(), name: z.string(), bossId: z.uuid().optional() },
  generated: { id: uuid() },
  relations: {
    pets: hasMany("pet", "ownerId", { creates: 3 }),
    desk: hasOne("desk", "userId", { creates: 1 }),
    boss: belongsTo("person", "bossId", { creates: 1 }),
    reports: hasMany("person", "bossId"),
  },
  access,
});
const pet = defineResource("pet", {
  fields: { id: z.uuid(), name: z.string(), born: z.date(), ownerId: z.uuid(), vetId: z.uuid() },
  generated: { id: uuid() },
  relations: {
    owner: belongsTo("person", "ownerId", { creates: 1 }),
    vet: belongsTo("person", "vetId", { creates: 1, onDelete: "cascade" }),
  },
  access,
});
const desk = defineResource("desk", {
  fields: { id: z.uuid(), userId: z.uuid() },
  generated: { id: uuid() },
  relations: { user: belongsTo("person", "userId") },
  unique: ["userId"],
  access,
});

const { local } = defineApi({ resources: [person, pet, desk] });
type CreatePerson = Parameters<typeof local.person.create>[0];
type CreatePet = Parameters<typeof local.pet.create>[0];
type CreateDesk = Parameters<typeof local.desk.create>[0];

test("without 'creates', a create accepts only fields", () => {
  expectTypeOf<CreateDesk>().toEqualTypeOf<{ userId: string }>();
  expectTypeOf<CreatePerson>().not.toHaveProperty("reports");
});

test("nested rows have the inputs of their own resource, without the reference to the parent", () => {
  expectTypeOf<CreatePerson>().not.toBeAny();
  expectTypeOf<{ name: string }>().toExtend<CreatePerson>();
  expectTypeOf<{ name: string; desk: Record<never, never> }>().toExtend<CreatePerson>();
  expectTypeOf<{ name: string; pets: [{ name: string; born: Date; vetId: string }] }>().toExtend<CreatePerson>();
  expectTypeOf<{
    name: string;
    pets: [{ name: string; born: Date; vet: { name: string } }];
  }>().toExtend<CreatePerson>();
  expectTypeOf<{ name: string; pets: [{ name: string; born: string; vetId: string }] }>().not.toExtend<CreatePerson>();
  expectTypeOf<{ name: string; pets: { name: string } }>().not.toExtend<CreatePerson>();
  expectTypeOf<{ name: string; pets: [{ name: string; born: Date }] }>().not.toExtend<CreatePerson>();
});

test("either a reference or the nested row is required", () => {
  expectTypeOf<CreatePet>().not.toBeAny();
  type Rest = { name: string; born: Date };
  expectTypeOf<Rest & { ownerId: string; vetId: string }>().toExtend<CreatePet>();
  expectTypeOf<Rest & { owner: { name: string }; vet: { name: string } }>().toExtend<CreatePet>();
  expectTypeOf<Rest & { ownerId: string }>().not.toExtend<CreatePet>();
  expectTypeOf<Rest & { ownerId: string; vetId: string; vet: { name: string } }>().not.toExtend<CreatePet>();
  // An optional relation can be omitted.
  expectTypeOf<{ name: string; boss: { name: string } }>().toExtend<CreatePerson>();
  expectTypeOf<{ name: string; boss: { name: string }; bossId: string }>().not.toExtend<CreatePerson>();
});

test("rejects unknown nested fields", () => {
  const rex = { name: "Rex", born: new Date(), vetId: "v" };
  // @ts-expect-error -- a pet has no age
  const withAge: CreatePerson = { name: "Ann", pets: [{ ...rex, age: 3 }] };
  // @ts-expect-error -- its owner is the new person
  const withOwner: CreatePerson = { name: "Ann", pets: [{ ...rex, ownerId: "o" }] };
  void [withAge, withOwner];
  // @ts-expect-error -- a to-one relation has one at most
  hasOne("desk", "userId", { creates: 2 });
});

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string() },
  generated: { id: sequence() },
  relations: {
    tags: manyToMany("tag", { links: 5 }),
    lists: manyToMany("tag", { through: "lists" }),
    pages: hasMany("page", "bookId", { creates: 1, writes: { create: 2, update: 2 } }),
  },
  access,
});
const tag = defineResource("tag", { fields: { slug: z.string() }, key: "slug", access });
const page = defineResource("page", {
  fields: { id: z.int32(), text: z.string(), bookId: z.int32() },
  generated: { id: sequence() },
  access,
});
const shop = defineApi({ resources: [book, tag, page] }).local;
type CreateBook = Parameters<typeof shop.book.create>[0];
type ReplaceBook = Parameters<typeof shop.book.replace>[1];
type UpdateBook = Parameters<typeof shop.book.update>[1];
type UpdatePage = Parameters<typeof shop.page.update>[1];

test("links are ids of the target, as a list or as changes in an update", () => {
  expectTypeOf<CreateBook>().not.toBeAny();
  expectTypeOf<UpdateBook>().not.toBeAny();
  expectTypeOf<{ title: string; tags: ["a"] }>().toExtend<CreateBook>();
  expectTypeOf<{ title: string; tags: [1] }>().not.toExtend<CreateBook>();
  expectTypeOf<{ title: string; tags: { add: ["a"] } }>().not.toExtend<CreateBook>();
  expectTypeOf<{ title: string }>().toExtend<ReplaceBook>();
  expectTypeOf<{ title: string; tags: ["a"] }>().toExtend<ReplaceBook>();
  expectTypeOf<{ tags: ["a"] }>().toExtend<UpdateBook>();
  expectTypeOf<{ tags: { add: ["a"]; remove: [] } }>().toExtend<UpdateBook>();
  expectTypeOf<{ tags: { add: [1] } }>().not.toExtend<UpdateBook>();
  expectTypeOf<UpdateBook>().not.toHaveProperty("lists");
  expectTypeOf<UpdatePage>().toEqualTypeOf<{ text?: string; bookId?: number }>();
});

test("related rows are created and changed without the reference to the parent", () => {
  expectTypeOf<{ pages: { create: [{ text: string }]; update: [{ id: 1; text: string }] } }>().toExtend<UpdateBook>();
  expectTypeOf<{ pages: { update: [{ id: 1; ifMatch: string }] } }>().toExtend<UpdateBook>();
  expectTypeOf<{ pages: { update: [{ text: string }] } }>().not.toExtend<UpdateBook>();
  expectTypeOf<{ pages: [{ text: string }] }>().not.toExtend<UpdateBook>();
  expectTypeOf<NonNullable<UpdateBook["pages"]>>().not.toHaveProperty("delete");
  expectTypeOf<ReplaceBook>().not.toHaveProperty("pages");
  // @ts-expect-error -- the parent sets the reference
  const moved: UpdateBook = { pages: { update: [{ id: 1, bookId: 2 }] } };
  // @ts-expect-error -- the pages of a book can't be deleted in an update
  const deleted: UpdateBook = { pages: { delete: [1] } };
  // @ts-expect-error -- an unknown list
  const misspelled: UpdateBook = { tags: { ad: ["a"] } };
  // @ts-expect-error -- a bulk update can't change links
  void shop.book.updateMany({}, { tags: ["a"] });
  void [moved, deleted, misspelled];
});
