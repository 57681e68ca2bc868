import { belongsTo, compose, defineResource, deny, owner } from "@bifocal/core";
import { z } from "zod";
import { createdBy, ofOrganization } from "../traits.ts";

const shared = compose(ofOrganization(), createdBy("memberId"), { fields: { issueId: z.uuid() } });

export const watch = defineResource("watch", {
  ...shared,
  description: "An issue that a member follows.",
  plural: "watches",
  relations: {
    issue: belongsTo("issue", "issueId", { onDelete: "cascade" }),
    member: belongsTo("member", "memberId", { onDelete: "cascade" }),
  },
  access: { ...shared.access, read: owner("memberId"), update: deny },
  unique: [["issueId", "memberId"]],
  filterable: ["issueId"],
});
