import { belongsTo, compose, defineResource, now, uuid } from "@bifocal/core";
import { z } from "zod";
import { createdBy, ofOrganization } from "../traits.ts";

export const comment = defineResource("comment", {
  ...compose(ofOrganization(), createdBy("authorId"), {
    fields: {
      id: z.uuid(),
      issueId: z.uuid(),
      text: z.string().trim().min(1).max(20_000),
      createdAt: z.iso.datetime(),
    },
    generated: { id: uuid(), createdAt: now() },
  }),
  relations: {
    issue: belongsTo("issue", "issueId", { onDelete: "cascade" }),
    author: belongsTo("member", "authorId"),
  },
  filterable: ["issueId", "authorId"],
  sortable: ["createdAt"],
});
