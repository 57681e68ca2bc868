import { belongsTo, defineResource, deny, now, uuid } from "@bifocal/core";
import { z } from "zod";
import { members, orgId } from "../tenant.ts";

export const activity = defineResource("activity", {
  description: "A change of an issue. Only hooks create it.",
  plural: "activities",
  fields: {
    id: z.uuid(),
    orgId,
    issueId: z.uuid(),
    memberId: z.string().nullable(),
    text: z.string(),
    createdAt: z.iso.datetime(),
  },
  generated: { id: uuid(), createdAt: now() },
  relations: {
    issue: belongsTo("issue", "issueId", { onDelete: "cascade" }),
    member: belongsTo("member", "memberId", { onDelete: "setNull" }),
  },
  access: { read: members, create: deny, update: deny, delete: deny },
  filterable: ["issueId"],
  sortable: ["createdAt"],
});
