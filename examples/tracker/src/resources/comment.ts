import { allOf, belongsTo, defineResource, deny, now, owner, uuid } from "@bifocal/core";
import { z } from "zod";
import { inOwnOrg, members, orgId } from "../tenant.ts";

const own = allOf(members, owner("authorId"));

export const comment = defineResource("comment", {
  fields: {
    id: z.uuid(),
    orgId,
    issueId: z.uuid(),
    authorId: z.string(),
    text: z.string().trim().min(1).max(20_000),
    createdAt: z.iso.datetime(),
  },
  generated: { id: uuid(), createdAt: now() },
  filledByHook: ["orgId", "authorId"],
  relations: {
    issue: belongsTo("issue", "issueId", { onDelete: "cascade" }),
    author: belongsTo("member", "authorId"),
  },
  access: {
    read: members,
    create: own,
    update: own,
    delete: own,
    fields: { orgId: { write: deny }, authorId: { write: deny } },
  },
  hooks: {
    create: {
      before: ({ input, principal }) => ({ ...inOwnOrg({ input, principal }), authorId: principal?.id ?? "" }),
    },
  },
  filterable: ["issueId", "authorId"],
  sortable: ["createdAt"],
});
