import { allOf, defineResource, deny, hasMany, uuid } from "@bifocal/core";
import { z } from "zod";
import { admins, orgOf } from "../tenant.ts";

export const organization = defineResource("organization", {
  description: "A tenant. Its members see it and its rows, and nothing of other organizations.",
  fields: { id: z.uuid(), name: z.string().trim().min(1).max(100) },
  generated: { id: uuid() },
  relations: { members: hasMany("member", "orgId"), projects: hasMany("project", "orgId") },
  access: {
    read: ({ principal }) => ({ id: { eq: orgOf(principal) } }),
    create: deny,
    update: allOf(admins, ({ principal }) => ({ id: { eq: orgOf(principal) } })),
    delete: deny,
  },
});
