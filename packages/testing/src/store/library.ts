import { allow, belongsTo, decimal, defineResource, hasMany, manyToMany, sequence } from "@bifocal/core";
import { type Model, resolveModel } from "@bifocal/core/store";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), born: z.iso.date().nullable() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["id", "name", "born"],
  sortable: ["name", "born"],
});

const book = defineResource("book", {
  fields: {
    id: z.string(),
    title: z.string(),
    authorId: z.int32().nullable(),
    price: z.number().nullable(),
    pages: z.bigint().nullable(),
    genre: z.enum(["novel", "poem", "essay"]),
    words: z.array(z.string()).nullable(),
    sold: z.boolean(),
    at: z.iso.datetime({ offset: true }).nullable(),
    extra: z.json(),
    isbn: z.string().nullable(),
    cost: decimal({ precision: 12, scale: 3 }).nullable(),
  },
  relations: {
    author: belongsTo("author", "authorId"),
    reviews: hasMany("review", "bookId"),
    tags: manyToMany("tag"),
    copies: hasMany("copy", "isbn", { references: "isbn" }),
  },
  access,
  unique: ["isbn", ["title", "genre"]],
  filterable: ["id", "title", "authorId", "price", "pages", "genre", "words", "sold", "at", "extra", "isbn", "cost"],
  sortable: ["id", "title", "price", "pages", "genre", "at", "cost"],
});

const review = defineResource("review", {
  key: ["bookId", "by"],
  fields: { bookId: z.string(), by: z.string(), stars: z.int32() },
  relations: { book: belongsTo("book", "bookId") },
  access,
  filterable: ["stars", "by"],
  sortable: ["stars"],
});

const tag = defineResource("tag", {
  key: "slug",
  fields: { slug: z.string(), name: z.string() },
  relations: { books: manyToMany("book") },
  access,
  filterable: ["slug", "name"],
  sortable: ["name"],
});

const rack = defineResource("rack", {
  key: ["room", "slot"],
  fields: { room: z.string(), slot: z.int32(), height: z.int32() },
  relations: { copies: hasMany("copy", ["room", "slot"]), quotes: manyToMany("review") },
  access,
  filterable: ["room", "slot", "height"],
  sortable: ["height"],
});

const copy = defineResource("copy", {
  fields: { id: z.string(), room: z.string(), slot: z.int32().nullable(), isbn: z.string().nullable() },
  relations: {
    rack: belongsTo("rack", ["room", "slot"]),
    book: belongsTo("book", "isbn", { references: "isbn" }),
  },
  access,
  filterable: ["id", "room", "isbn"],
  sortable: ["id"],
});

const entry = defineResource("entry", {
  key: "number",
  fields: { number: z.int32(), text: z.string() },
  generated: { number: sequence() },
  access,
});

const sheet = defineResource("sheet", {
  fields: { id: z.string(), text: z.string(), revision: z.int() },
  version: "revision",
  access,
  filterable: ["text"],
});

const shelf = defineResource("shelf", {
  fields: { id: z.string(), label: z.string().nullable(), removedAt: z.iso.datetime().nullable() },
  softDelete: "removedAt",
  access,
  unique: ["label"],
  filterable: ["label", "removedAt"],
});

/** Returns the model of the test library, which has every kind of key, value and relation. */
export function libraryModel(): Model {
  return resolveModel([author, book, review, tag, rack, copy, entry, sheet, shelf]);
}
