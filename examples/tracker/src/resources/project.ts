import { belongsTo, compose, count, defineResource, generate, hasMany, now, uuid } from "@bifocal/core";
import { z } from "zod";
import { ofAdmins } from "../traits.ts";

export const project = defineResource("project", {
  ...compose(ofAdmins(), {
    fields: {
      id: z.uuid(),
      key: z
        .string()
        .regex(/^[A-Z]{2,6}$/)
        .meta({ description: "Starts the names of its issues, as in `WEB-12`." }),
      name: z.string().trim().min(1).max(200),
      lastNumber: z.int32().nonnegative().meta({ description: "The number of its latest issue." }),
      createdAt: z.iso.datetime(),
    },
    generated: { id: uuid(), createdAt: now(), lastNumber: generate(() => 0) },
  }),
  internal: ["lastNumber"],
  relations: {
    organization: belongsTo("organization", "orgId"),
    issues: hasMany("issue", "projectId"),
    labels: hasMany("label", "projectId"),
    milestones: hasMany("milestone", "projectId"),
  },
  computed: { openIssues: count("issues", { status: { ne: "done" } }) },
  unique: ["key"],
  filterable: ["key", "name"],
  sortable: ["key", "name", "createdAt", "openIssues"],
});
