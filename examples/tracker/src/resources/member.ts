import { allOf, belongsTo, defineResource, deny, hasMany } from "@bifocal/core";
import { z } from "zod";
import { admins, inOwnOrg, members, orgId } from "../tenant.ts";

export const member = defineResource("member", {
  description: "A person in an organization. Its id equals the id of the caller's credential.",
  fields: {
    id: z.string().regex(/^[a-z][a-z0-9-]{0,30}$/),
    orgId,
    name: z.string().trim().min(1).max(100),
    email: z.email(),
  },
  filledByHook: ["orgId"],
  relations: { organization: belongsTo("organization", "orgId"), issues: hasMany("issue", "assigneeId") },
  access: {
    read: members,
    create: allOf(admins, members),
    update: allOf(admins, members),
    delete: allOf(admins, members),
    fields: { orgId: { write: deny } },
  },
  hooks: { create: { before: inOwnOrg } },
  unique: [["orgId", "email"]],
  filterable: ["name"],
  sortable: ["name"],
});
