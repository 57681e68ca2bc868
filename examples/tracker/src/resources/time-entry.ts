import { allOf, belongsTo, defineResource, deny, owner, uuid } from "@bifocal/core";
import { z } from "zod";
import { inOwnOrg, members, orgId } from "../tenant.ts";

const own = allOf(members, owner("memberId"));

export const timeEntry = defineResource("timeEntry", {
  fields: {
    id: z.uuid(),
    orgId,
    issueId: z.uuid(),
    memberId: z.string(),
    minutes: z.int32().min(1).max(1_440),
    day: z.iso.date(),
  },
  generated: { id: uuid() },
  filledByHook: ["orgId", "memberId"],
  relations: {
    issue: belongsTo("issue", "issueId", { onDelete: "cascade" }),
    member: belongsTo("member", "memberId"),
  },
  access: {
    read: members,
    create: own,
    update: own,
    delete: own,
    fields: { orgId: { write: deny }, memberId: { write: deny } },
  },
  hooks: {
    create: {
      before: ({ input, principal }) => ({ ...inOwnOrg({ input, principal }), memberId: principal?.id ?? "" }),
    },
  },
  filterable: ["issueId", "memberId", "day"],
  sortable: ["day", "minutes"],
});
