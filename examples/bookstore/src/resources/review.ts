import { allow, belongsTo, defineResource, hasRole, now, owner, uuid } from "@bifocal/core";
import { z } from "zod";

const moderator = hasRole("admin");

export const review = defineResource("review", {
  fields: {
    id: z.uuid(),
    bookId: z.uuid(),
    reviewer: z.string().min(1).max(100).meta({ description: "The id of whoever wrote it: always the caller." }),
    stars: z.int32().min(1).max(5),
    text: z.string().trim().max(5000).nullable(),
    createdAt: z.iso.datetime(),
  },
  generated: { id: uuid(), createdAt: now() },
  relations: { book: belongsTo("book", "bookId", { onDelete: "cascade" }) },
  access: {
    read: allow,
    create: owner("reviewer"),
    update: owner("reviewer"),
    delete: (caller) => moderator(caller) || owner("reviewer")(caller),
  },
  unique: [["bookId", "reviewer"]],
  filterable: ["bookId", "reviewer", "stars", "createdAt"],
  sortable: ["stars", "createdAt"],
});
