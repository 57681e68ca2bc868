import { z } from "zod";
import { allow, belongsTo, defineResource, hasMany, manyToMany } from "../src/index.ts";
import type { Model, Row } from "../src/model/model.ts";
import { resolveModel } from "../src/model/resolve-model.ts";

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
  },
  relations: { author: belongsTo("author", "authorId"), reviews: hasMany("review", "bookId"), tags: manyToMany("tag") },
  access,
  filterable: ["id", "title", "authorId", "price", "pages", "genre", "words", "sold"],
  sortable: ["id", "title", "price", "pages", "genre"],
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

/** A model for tests of single functions: every kind of relation, and fields of most types. */
export function libraryModel(): Model {
  return resolveModel([author, book, review, tag]);
}

export function bookRow(id: string, values: Partial<Row>): Row {
  const defaults = { title: id, authorId: null, price: null, pages: null, genre: "novel", words: null, sold: false };
  return { id, ...defaults, ...(values as Row) };
}
