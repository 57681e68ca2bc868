import { belongsTo, defineResource, deny, hasMany, uuid } from "@bifocal/core";
import { z } from "zod";
import { inOwnOrg, members, orgId } from "../tenant.ts";

export const milestone = defineResource("milestone", {
  fields: {
    id: z.uuid(),
    orgId,
    projectId: z.uuid(),
    name: z.string().trim().min(1).max(100),
    dueOn: z.iso.date().nullable(),
  },
  generated: { id: uuid() },
  filledByHook: ["orgId"],
  relations: {
    project: belongsTo("project", "projectId", { onDelete: "cascade" }),
    issues: hasMany("issue", "milestoneId"),
  },
  access: { read: members, create: members, update: members, delete: members, fields: { orgId: { write: deny } } },
  hooks: { create: { before: inOwnOrg } },
  filterable: ["projectId", "dueOn"],
  sortable: ["dueOn", "name"],
});
