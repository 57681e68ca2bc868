import { allOf, defineResource, deny, hasMany, hasRole, type RuleContext, uuid } from "@bifocal/core";
import { z } from "zod";
import { orgOf } from "../tenant.ts";

const own = ({ principal }: RuleContext) => ({ id: { eq: orgOf(principal) } });

export const organization = defineResource("organization", {
  description: "A tenant. Its members see it and its rows, and nothing of other organizations.",
  fields: { id: z.uuid(), name: z.string().trim().min(1).max(100) },
  generated: { id: uuid() },
  relations: { members: hasMany("member", "orgId"), projects: hasMany("project", "orgId") },
  access: { read: own, create: deny, update: allOf(hasRole("admin"), own), delete: deny },
});
