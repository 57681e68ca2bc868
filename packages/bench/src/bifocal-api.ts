import { randomUUID } from "node:crypto";
import { allow, belongsTo, defineApi, defineResource, deny, hasMany, memoryStore, uuid } from "@bifocal/core";
import { z } from "zod";
import { editionFields } from "./edition-fields.ts";
import { authors, books, reviews } from "./rows.ts";
import { settings } from "./settings.ts";

const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string(), country: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access: { read: allow, create: deny, update: deny, delete: deny },
});

const book = defineResource("book", {
  fields: {
    id: z.uuid(),
    title: z.string(),
    authorId: z.uuid(),
    year: z.int32(),
    price: z.number(),
    genre: z.string(),
    summary: z.string(),
  },
  relations: { author: belongsTo("author", "authorId"), reviews: hasMany("review", "bookId") },
  access: { read: allow, create: deny, update: deny, delete: deny },
});

const review = defineResource("review", {
  fields: { id: z.uuid(), bookId: z.uuid(), stars: z.int32(), text: z.string() },
  relations: { book: belongsTo("book", "bookId") },
  access: { read: allow, create: deny, update: deny, delete: deny },
});

const note = defineResource("note", {
  fields: { id: z.uuid(), title: z.string().min(1).max(200), year: z.int32(), price: z.number().nonnegative() },
  generated: { id: uuid() },
  access: { read: allow, create: allow, update: deny, delete: deny },
});

const edition = defineResource("edition", {
  fields: { id: z.uuid(), ...editionFields },
  generated: { id: uuid() },
  relations: { author: belongsTo("author", "authorId") },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

/** The number of notes at the start. */
const notes = Number(process.argv[2] ?? 0) || 0;

export const api = defineApi({
  ...settings,
  resources: [author, book, review, note, edition],
  store: memoryStore({
    data: {
      author: authors.map((row) => ({ ...row })),
      book: books.map((row) => ({ ...row })),
      review: reviews.map((row) => ({ ...row })),
      note: Array.from({ length: notes }, (_, n) => ({ id: randomUUID(), title: `Note ${n}`, year: 2026, price: n })),
    },
  }),
});
