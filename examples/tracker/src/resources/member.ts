import { belongsTo, compose, defineResource, hasMany, uuid } from "@bifocal/core";
import { z } from "zod";
import { ofAdmins } from "../traits.ts";

export const member = defineResource("member", {
  ...compose(ofAdmins(), {
    fields: { id: z.string(), name: z.string().trim().min(1).max(100), email: z.email() },
    generated: { id: uuid() },
  }),
  description: "A person in an organization. The credentials of this person have the same id.",
  relations: { organization: belongsTo("organization", "orgId"), issues: hasMany("issue", "assigneeId") },
  unique: ["email"],
  filterable: ["name"],
  sortable: ["name"],
});
