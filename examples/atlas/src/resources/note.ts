import { allow, belongsTo, defineResource, deny, now, uuid } from "@bifocal/core";
import { z } from "zod";

export const note = defineResource("note", {
  description: "A visitor's note about a city. Other visitors see it immediately.",
  fields: {
    id: z.uuid(),
    cityId: z.int32().positive(),
    by: z.string().trim().min(1).max(40),
    text: z.string().trim().min(1).max(280),
    createdAt: z.iso.datetime(),
  },
  generated: { id: uuid(), createdAt: now() },
  relations: { city: belongsTo("city", "cityId") },
  access: { read: allow, create: allow, update: deny, delete: deny },
  filterable: ["cityId", "by", "createdAt"],
  sortable: ["createdAt"],
});
