import { allow, belongsTo, defineResource, now, anyOf, owner, uuid } from "@bifocal/core";
import { z } from "zod";
import { admins } from "../roles.ts";

export const review = defineResource("review", {
  fields: {
    id: z.uuid(),
    bookId: z.uuid(),
    reviewer: z.string().min(1).max(100).meta({ description: "The id of the reviewer: always the caller." }),
    stars: z.int32().min(1).max(5),
    text: z.string().trim().max(5000).nullable(),
    createdAt: z.iso.datetime(),
    deletedAt: z.iso.datetime().nullable(),
  },
  generated: { id: uuid(), createdAt: now() },
  relations: { book: belongsTo("book", "bookId", { onDelete: "cascade" }) },
  access: {
    read: allow,
    create: owner("reviewer"),
    update: owner("reviewer"),
    delete: anyOf(admins, owner("reviewer")),
    deleted: admins,
  },
  // A deleted review can be restored. The time of its deletion is part of no response.
  softDelete: "deletedAt",
  internal: ["deletedAt"],
  unique: [["bookId", "reviewer"]],
  filterable: ["bookId", "reviewer", "stars", "createdAt"],
  sortable: ["stars", "createdAt"],
  aggregatable: ["stars"],
  groupable: ["bookId", "stars", "createdAt"],
});
