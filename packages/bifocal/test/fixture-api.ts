import { allow, apiKeyResource, apiKeys, belongsTo, defineApi, defineResource, hasMany, uuid } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { z } from "zod";

// The API for the tests of commands. The environment selects its model and database.

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string() },
  generated: { id: uuid() },
  relations: { books: hasMany("book", "authorId") },
  access,
});
const book = defineResource("book", {
  fields: {
    id: z.uuid(),
    title: z.string(),
    authorId: z.uuid(),
    ...(process.env["BOOKS_HAVE_ISBN"] === undefined ? {} : { isbn: z.string().nullable() }),
  },
  generated: { id: uuid() },
  relations: { author: belongsTo("author", "authorId") },
  access,
  filterable: ["title"],
});

console.log("an application that prints while it is loaded");

export const api = defineApi({
  resources: [author, book, apiKeyResource()],
  store: sqlStore({ url: process.env["DATABASE_URL"] ?? "sqlite:fixture.db", max: 2 }),
  auth: apiKeys({ resource: "apiKey" }),
});
