import {
  BifocalError,
  belongsTo,
  compose,
  defineResource,
  deny,
  hasMany,
  manyToMany,
  now,
  principalId,
  signedIn,
  sum,
  updatedNow,
} from "@bifocal/core";
import { z } from "zod";
import { ofOrganization } from "../traits.ts";
import { comment } from "./comment.ts";
import { project } from "./project.ts";

export const status = z.enum(["open", "doing", "done"]).meta({ id: "IssueStatus" });
/** 0 is the most urgent. An enum would sort by its text. */
const priority = z.int32().min(0).max(4).default(2).meta({ description: "From 0, most urgent, to 4." });

const shared = compose(ofOrganization(), {
  fields: {
    projectId: z.uuid(),
    number: z.int32().positive(),
    title: z.string().trim().min(1).max(300),
    text: z.string().max(50_000).default(""),
    status: status.default("open"),
    priority,
    authorId: z.string(),
    assigneeId: z.string().nullable().default(null),
    milestoneId: z.uuid().nullable().default(null),
    duplicateOf: z
      .int32()
      .nullable()
      .default(null)
      .meta({ description: "The number of an issue of the same project." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    version: z.int32(),
  },
  generated: { authorId: principalId(), createdAt: now(), updatedAt: updatedNow() },
});

export const issue = defineResource("issue", {
  ...shared,
  description: "A task of a project. `WEB-12` is number 12 of the project with the key `WEB`.",
  version: "version",
  history: true,
  filledByHook: ["number"],
  relations: {
    project: belongsTo("project", "projectId", { onDelete: "cascade" }),
    author: belongsTo("member", "authorId"),
    assignee: belongsTo("member", "assigneeId", { onDelete: "setNull" }),
    milestone: belongsTo("milestone", "milestoneId", { onDelete: "setNull" }),
    // Issues are known by their number within a project, so the reference holds both.
    original: belongsTo("issue", ["orgId", "projectId", "duplicateOf"], {
      references: ["orgId", "projectId", "number"],
      onDelete: "setNull",
    }),
    duplicates: hasMany("issue", ["orgId", "projectId", "duplicateOf"], {
      references: ["orgId", "projectId", "number"],
    }),
    comments: hasMany("comment", "issueId"),
    times: hasMany("timeEntry", "issueId"),
    labels: manyToMany("label"),
  },
  computed: { minutes: sum("times", "minutes") },
  access: { ...shared.access, fields: { number: { write: deny } } },
  bulk: { create: 100, update: 100 },
  unique: [["orgId", "projectId", "number"]],
  filterable: ["projectId", "number", "title", "status", "priority", "assigneeId", "milestoneId", "createdAt"],
  sortable: ["number", "priority", "createdAt", "updatedAt"],
  hooks: {
    create: {
      // The rules have already decided, so the caller sees the project.
      before: async ({ input, stores }) => ({
        ...input,
        number: await nextNumber(stores(project), input.projectId ?? ""),
      }),
    },
  },
  actions: {
    finish: {
      description: "Closes an issue, with a comment if there is something to say.",
      on: "item",
      input: z.object({ comment: z.string().trim().min(1).max(20_000).optional() }).default({}),
      access: signedIn,
      run: async ({ item, input, local, locals }) => {
        if (item.status === "done") throw new BifocalError("CONFLICT", "The issue is already done.");
        if (input.comment !== undefined) await locals(comment).create({ issueId: item.id, text: input.comment });
        await local.update(item.id, { status: "done" });
      },
    },
    move: {
      description: "Moves an issue to another project of the organization, where it gets a new number.",
      on: "item",
      input: z.object({ projectId: z.uuid() }),
      access: signedIn,
      run: async ({ item, input, locals, stores, store }) => {
        // As the caller, so that a project of another organization doesn't exist.
        if ((await locals(project).get(input.projectId)) === null) {
          throw new BifocalError("NOT_FOUND", "There is no such project.");
        }
        const number = await nextNumber(stores(project), input.projectId);
        await store.update(item.id, { projectId: input.projectId, number, milestoneId: null, duplicateOf: null });
      },
    },
  },
});

interface Projects {
  readonly get: (id: string) => Promise<{ readonly lastNumber: number } | null>;
  readonly update: (id: string, patch: { readonly lastNumber: number }) => Promise<unknown>;
}

/** Numbers the issues of a project without gaps. Two creates at once conflict, and one of them runs again. */
async function nextNumber(projects: Projects, id: string): Promise<number> {
  const number = ((await projects.get(id))?.lastNumber ?? 0) + 1;
  await projects.update(id, { lastNumber: number });
  return number;
}
