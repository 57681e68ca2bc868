import { allow, belongsTo, defineApi, defineResource, deny, hasMany, hasRole, hasScope, owner } from "@bifocal/core";
import { z } from "zod";

// The API for the test that compares the table of the command line with that of the pages.

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access: { read: allow, create: hasRole("admin"), update: deny, delete: deny },
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), price: z.number(), ownerId: z.string(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access: {
    read: allow,
    create: hasRole("editor", "admin"),
    update: owner("ownerId"),
    delete: ({ input }) => input?.["title"] === "x",
    fields: { price: { read: hasScope("prices:read") } },
  },
  actions: { publish: { on: "item", access: hasRole("editor"), run: () => {} } },
});

export const api = defineApi({ resources: [author, book] });
