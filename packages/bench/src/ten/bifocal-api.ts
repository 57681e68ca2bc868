import { allow, belongsTo, defineApi, defineResource, hasMany, memoryStore, uuid } from "@bifocal/core";
import { z } from "zod";
import { settings } from "../settings.ts";
import { CODE, nextOf, previousOf, rowsOf, TYPES } from "./rows.ts";

function resourceOf(type: string) {
  return defineResource(type, {
    fields: {
      id: z.uuid(),
      title: z.string().min(1).max(200),
      year: z.int32(),
      price: z.number().nonnegative(),
      inStock: z.boolean(),
      code: z.string().regex(CODE),
      tags: z.array(z.string().max(40)).max(10),
      nextId: z.uuid(),
    },
    generated: { id: uuid() },
    relations: { next: belongsTo(nextOf(type), "nextId"), previous: hasMany(previousOf(type), "nextId") },
    access: { read: allow, create: allow, update: allow, delete: allow },
    filterable: ["year"],
    sortable: ["year", "title"],
  });
}

export const api = defineApi({
  ...settings,
  resources: TYPES.map(resourceOf),
  store: memoryStore({
    data: Object.fromEntries(TYPES.map((type) => [type, rowsOf(type).map((row) => ({ ...row }))])),
  }),
});
