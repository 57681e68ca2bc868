import { allOf, belongsTo, defineResource, deny, owner, uuid } from "@bifocal/core";
import { z } from "zod";
import { inOwnOrg, members, orgId } from "../tenant.ts";

const own = allOf(members, owner("memberId"));

export const watch = defineResource("watch", {
  description: "An issue that a member follows.",
  plural: "watches",
  fields: { id: z.uuid(), orgId, issueId: z.uuid(), memberId: z.string() },
  generated: { id: uuid() },
  filledByHook: ["orgId", "memberId"],
  relations: {
    issue: belongsTo("issue", "issueId", { onDelete: "cascade" }),
    member: belongsTo("member", "memberId", { onDelete: "cascade" }),
  },
  access: {
    read: own,
    create: own,
    update: deny,
    delete: own,
    fields: { orgId: { write: deny }, memberId: { write: deny } },
  },
  hooks: {
    create: {
      before: ({ input, principal }) => ({ ...inOwnOrg({ input, principal }), memberId: principal?.id ?? "" }),
    },
  },
  unique: [["issueId", "memberId"]],
  filterable: ["issueId"],
});
