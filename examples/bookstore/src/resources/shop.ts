import { allow, belongsTo, defineResource, deny, hasMany, sum } from "@bifocal/core";
import { z } from "zod";
import { staff } from "../roles.ts";

export const shop = defineResource("shop", {
  description: "A shop of the chain: a tenant. Its staff sees its sales, and nothing of those of other shops.",
  key: "slug",
  fields: {
    slug: z.string().max(50),
    name: z.string().max(100),
    city: z.string().max(100),
    specialty: z.string().max(50).nullable().meta({ description: "The name of a tag." }),
  },
  relations: {
    sales: hasMany("sale", "shopId"),
    specialtyTag: belongsTo("tag", "specialty", { references: "name", onDelete: "setNull" }),
  },
  computed: { revenue: sum("sales", "total") },
  access: { read: allow, create: deny, update: deny, delete: deny, fields: { revenue: { read: staff } } },
  filterable: ["city", "specialty"],
  sortable: ["name", "city"],
});
