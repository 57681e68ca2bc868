import { z } from "zod";
import { allow, defineResource, hasMany } from "../src/index.ts";

export const access = { read: allow, create: allow, update: allow, delete: allow };

/** An author whose books are in another resource. One field has a different type in code and on the wire. */
export const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), born: z.date().nullable() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["name", "born"],
  sortable: ["name"],
});
