import { allow, belongsTo, defineResource, hasMany } from "@bifocal/core";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };

export const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), bio: z.string().nullable() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["name"],
  sortable: ["name"],
  page: { size: 20, max: 100 },
});

export const book = defineResource("book", {
  fields: {
    id: z.int32(),
    title: z.string(),
    year: z.int32(),
    price: z.number(),
    summary: z.string(),
    authorId: z.int32(),
  },
  relations: { author: belongsTo("author", "authorId") },
  access,
  filterable: ["year", "title"],
  sortable: ["year", "title", "price"],
  page: { size: 20, max: 100 },
});
