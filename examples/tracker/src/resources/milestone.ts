import { belongsTo, compose, defineResource, hasMany } from "@bifocal/core";
import { z } from "zod";
import { ofOrganization } from "../traits.ts";

export const milestone = defineResource("milestone", {
  ...compose(ofOrganization(), {
    fields: {
      projectId: z.uuid(),
      name: z.string().trim().min(1).max(100),
      dueOn: z.iso.date().nullable(),
    },
  }),
  relations: {
    project: belongsTo("project", "projectId", { onDelete: "cascade" }),
    issues: hasMany("issue", "milestoneId"),
  },
  filterable: ["projectId", "dueOn"],
  sortable: ["dueOn", "name"],
});
