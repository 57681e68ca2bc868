import { belongsTo, compose, defineResource, manyToMany } from "@bifocal/core";
import { z } from "zod";
import { ofOrganization } from "../traits.ts";

export const label = defineResource("label", {
  ...compose(ofOrganization(), {
    fields: {
      projectId: z.uuid(),
      name: z.string().trim().min(1).max(50),
      color: z.string().regex(/^#[0-9a-f]{6}$/),
    },
  }),
  relations: { project: belongsTo("project", "projectId", { onDelete: "cascade" }), issues: manyToMany("issue") },
  unique: [["projectId", "name"]],
  filterable: ["projectId", "name"],
  sortable: ["name"],
});
