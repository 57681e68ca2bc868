import { allow, count, defineResource, hasMany, now, signedIn, uuid } from "@bifocal/core";
import { z } from "zod";
import { admins, staff } from "../roles.ts";

export const author = defineResource("author", {
  description: "An author whose books are in the shop, or will be.",
  fields: {
    id: z.uuid(),
    name: z.string().trim().min(1).max(200),
    email: z.email().nullable().meta({ description: "For signed-in callers only." }),
    bio: z.string().max(2000).nullable(),
    born: z.iso.date().nullable(),
    createdAt: z.iso.datetime(),
    userId: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: "The user as which the author signs in. Not part of any schema." }),
  },
  generated: { id: uuid(), createdAt: now() },
  internal: ["userId"],
  relations: { books: hasMany("book", "authorId", { creates: 20, writes: { create: 20, update: 20, delete: 20 } }) },
  computed: { bookCount: count("books") },
  access: {
    read: allow,
    create: staff,
    update: staff,
    delete: admins,
    fields: { email: { read: signedIn } },
  },
  filterable: ["name", "email", "born", "createdAt", "bookCount"],
  sortable: ["name", "born", "createdAt", "bookCount"],
});
