import { allow, belongsTo, defineApi, defineResource, functionStore, hasMany, type Store } from "@bifocal/core";
import { z } from "zod";
import { authors, books, type Database } from "./database.ts";
import { drizzleFunctions } from "./drizzle-functions.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string().min(1) },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["id", "name"],
  sortable: ["name"],
});

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string().min(1), authorId: z.int32(), price: z.number().nullable() },
  relations: { author: belongsTo("author", "authorId") },
  access,
  filterable: ["id", "title", "price", "authorId"],
  sortable: ["title", "price"],
});

/** Creates a store for both resources from Drizzle's tables. */
export function drizzleStore(db: Database): Store {
  return functionStore({
    author: drizzleFunctions(db, authors, authors.id),
    book: drizzleFunctions(db, books, books.id),
  });
}

export function createApi(store: Store) {
  return defineApi({ resources: [author, book], store });
}
