import { allow, defineResource, manyToMany } from "@bifocal/core";
import { z } from "zod";
import { admins, staff } from "../roles.ts";

export const tag = defineResource("tag", {
  key: "slug",
  fields: {
    slug: z
      .string()
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      .max(50),
    name: z.string().trim().min(1).max(50),
  },
  relations: { books: manyToMany("book") },
  access: { read: allow, create: staff, update: staff, delete: admins },
  upsert: true,
  unique: ["name"],
  filterable: ["slug", "name"],
  sortable: ["slug", "name"],
  page: { size: 50, max: 200 },
  cache: { public: true, maxAge: 60 },
});
