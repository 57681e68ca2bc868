import { belongsTo, defineResource, deny, manyToMany, uuid } from "@bifocal/core";
import { z } from "zod";
import { inOwnOrg, members, orgId } from "../tenant.ts";

export const label = defineResource("label", {
  fields: {
    id: z.uuid(),
    orgId,
    projectId: z.uuid(),
    name: z.string().trim().min(1).max(50),
    color: z.string().regex(/^#[0-9a-f]{6}$/),
  },
  generated: { id: uuid() },
  filledByHook: ["orgId"],
  relations: { project: belongsTo("project", "projectId", { onDelete: "cascade" }), issues: manyToMany("issue") },
  access: { read: members, create: members, update: members, delete: members, fields: { orgId: { write: deny } } },
  hooks: { create: { before: inOwnOrg } },
  unique: [["projectId", "name"]],
  filterable: ["projectId", "name"],
  sortable: ["name"],
});
