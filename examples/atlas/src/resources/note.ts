import { anyOf, belongsTo, defineResource, hasRole, now, sequence, signedIn } from "@bifocal/core";
import { z } from "zod";

const editor = hasRole("editor");

export const note = defineResource("note", {
  description: "A note about a city. Everyone who has the map open sees it immediately.",
  fields: {
    id: z.int32().positive(),
    cityId: z.int32().positive(),
    by: z.string().trim().min(1).max(40),
    hidden: z.boolean().default(false),
    text: z.string().trim().min(1).max(280),
    createdAt: z.iso.datetime(),
  },
  generated: { id: sequence(), createdAt: now() },
  relations: { city: belongsTo("city", "cityId") },
  access: {
    read: anyOf(editor, () => ({ hidden: { eq: false } })),
    create: signedIn,
    update: editor,
    delete: editor,
    fields: { by: { read: signedIn }, hidden: { read: editor, write: editor } },
  },
  operations: ["get", "list", "create", "update", "delete", "watch"],
  filterable: ["cityId", "createdAt"],
  sortable: ["createdAt"],
});
