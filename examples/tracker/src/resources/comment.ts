import { belongsTo, compose, defineResource, now } from "@bifocal/core";
import { z } from "zod";
import { createdBy, ofOrganization } from "../traits.ts";

export const comment = defineResource("comment", {
  ...compose(ofOrganization(), createdBy("authorId"), {
    fields: {
      issueId: z.uuid(),
      text: z.string().trim().min(1).max(20_000),
      createdAt: z.iso.datetime(),
    },
    generated: { createdAt: now() },
  }),
  relations: {
    issue: belongsTo("issue", "issueId", { onDelete: "cascade" }),
    author: belongsTo("member", "authorId"),
  },
  filterable: ["issueId", "authorId"],
  sortable: ["createdAt"],
});
