import { z } from "zod";
import { allow, defineResource, hasMany } from "../src/index.ts";

export const access = { read: allow, create: allow, update: allow, delete: allow };

/** Whose books another resource holds, with a field that is not on the wire what it is in code. */
export const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), born: z.date().nullable() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["name", "born"],
  sortable: ["name"],
});
