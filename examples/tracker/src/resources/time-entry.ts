import { belongsTo, compose, defineResource } from "@bifocal/core";
import { z } from "zod";
import { createdBy, ofOrganization } from "../traits.ts";

export const timeEntry = defineResource("timeEntry", {
  ...compose(ofOrganization(), createdBy("memberId"), {
    fields: {
      issueId: z.uuid(),
      minutes: z.int32().min(1).max(1_440),
      day: z.iso.date(),
    },
  }),
  relations: {
    issue: belongsTo("issue", "issueId", { onDelete: "cascade" }),
    member: belongsTo("member", "memberId"),
  },
  filterable: ["issueId", "memberId", "day"],
  sortable: ["day", "minutes"],
});
