import { test } from "vitest";
import { z } from "zod";
import { defineResource } from "./define-resource.ts";
import type { Local } from "./local.ts";
import { belongsTo, hasMany } from "./relations.ts";
import type { AnyResource } from "./resource.ts";
import { allow } from "./rules.ts";
import { compose } from "./traits.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const fields = { id: z.uuid(), title: z.string(), authorId: z.uuid() };
const relations = { author: belongsTo("author", "authorId") };
const book = defineResource("book", { fields, relations, access, search: ["title", "author.name"] });
const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
});
declare function api<const All extends readonly AnyResource[]>(resources: readonly [...All]): Local<All[number]>;
const local = api([book, author]);

test("only resources with a search can be searched", () => {
  void local.book.list({ search: "emma" });
  void local.author.list({ select: { books: { search: "emma", select: { title: true } } } });
  // @ts-expect-error it has no search
  void (() => local.author.list({ search: "jane" }));
  const other = api([author, defineResource("book", { fields, relations, access })]);
  // @ts-expect-error the related resource has no search
  void (() => other.author.list({ select: { books: { search: "emma" } } }));
  // @ts-expect-error not a text
  void (() => local.book.list({ search: 1 }));
});

test("groups and bulk writes can be searched where rows can", () => {
  void local.book.aggregate({ search: "emma", aggregate: ["count"] });
  void local.book.updateMany({}, { title: "Emma" }, { search: "emma" });
  void local.book.deleteMany({}, { search: "emma", ifMatch: "*" });
  // @ts-expect-error it has no search
  void (() => local.author.aggregate({ search: "jane", aggregate: ["count"] }));
  // @ts-expect-error it has no search
  void (() => local.author.updateMany({}, { name: "Jane" }, { search: "jane" }));
  // @ts-expect-error it has no search
  void (() => local.author.deleteMany({}, { search: "jane" }));
  // @ts-expect-error not a text
  void (() => local.book.deleteMany({}, { search: ["emma"] }));
});

test("a trait can declare the search", () => {
  const shared = compose({ fields: { title: z.string() }, search: ["title"] });
  const note = defineResource("note", { ...compose(shared, { fields: { id: z.uuid() } }), access });
  void api([note]).note.list({ search: "emma" });
});

test("a search names fields, or fields along a relation", () => {
  // @ts-expect-error not a field
  defineResource("book", { fields, relations, access, search: ["subtitle"] });
  // @ts-expect-error not a relation
  defineResource("book", { fields, relations, access, search: ["publisher.name"] });
});
