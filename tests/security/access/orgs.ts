import {
  allOf,
  apiKeys,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  deny,
  type GraphqlSettings,
  hasMany,
  hasRole,
  type Log,
  manyToMany,
  memoryStore,
  now,
  anyOf,
  owner,
  type Principal,
  type Rule,
  signedIn,
  type Store,
  through,
} from "@bifocal/core";
import { z } from "zod";

/** The organization of each user. It is read on every request, so that moving a user takes effect immediately. */
export type Members = Map<string, string>;

/** Creates the schema of the catalog (SECURITY.md): two organizations that must not learn of each other. */
export function createOrgs({
  store,
  graphql = {},
}: {
  readonly store?: Store;
  readonly graphql?: GraphqlSettings;
} = {}) {
  const members: Members = new Map([
    ["alice", "a"],
    ["adminA", "a"],
    ["bob", "b"],
  ]);
  const mine =
    (field: "id" | "orgId"): Rule =>
    async ({ principal }: { readonly principal: Principal | null }) =>
      principal !== null && { [field]: { eq: members.get(principal.id) } };
  const admin = hasRole("admin");
  const ofMyOrg = mine("orgId");

  const org = defineResource("org", {
    fields: { id: z.string(), name: z.string() },
    relations: { projects: hasMany("project", "orgId"), users: hasMany("user", "orgId") },
    access: { read: mine("id"), create: deny, update: deny, delete: deny },
    filterable: ["name"],
    sortable: ["name"],
  });
  const user = defineResource("user", {
    fields: {
      id: z.string(),
      orgId: z.string(),
      name: z.string(),
      email: z.email(),
      passwordHash: z.string().nullable(),
      role: z.enum(["user", "admin"]).default("user"),
      createdAt: z.iso.datetime().nullable(),
    },
    generated: { createdAt: now() },
    relations: { org: belongsTo("org", "orgId"), tasks: hasMany("task", "assigneeId") },
    access: {
      read: ofMyOrg,
      create: signedIn,
      update: allOf(ofMyOrg, anyOf(admin, owner("id"))),
      delete: deny,
      fields: { email: { read: anyOf(admin, owner("id")) }, role: { write: admin } },
    },
    internal: ["passwordHash"],
    unique: ["email"],
    filterable: ["id", "name", "email"],
    sortable: ["name", "email"],
  });
  const project = defineResource("project", {
    fields: {
      id: z.string(),
      name: z.string(),
      orgId: z.string(),
      budget: z.number().nullable().default(null),
      version: z.int(),
    },
    version: "version",
    relations: { org: belongsTo("org", "orgId"), tasks: hasMany("task", "projectId") },
    access: {
      read: ofMyOrg,
      create: ofMyOrg,
      update: ofMyOrg,
      delete: ofMyOrg,
      fields: { budget: { read: admin } },
    },
    upsert: true,
    filterable: ["name", "budget", "orgId"],
    sortable: ["name", "budget"],
  });
  const ofMyProjects = through("project", ofMyOrg);
  const task = defineResource("task", {
    fields: {
      id: z.string(),
      title: z.string().max(200),
      status: z.enum(["open", "done"]).default("open"),
      projectId: z.string(),
      assigneeId: z.string().nullable().default(null),
      internalScore: z.int().nullable(),
      meta: z.json().nullable().default(null),
      dueAt: z.iso.date().nullable().default(null),
    },
    relations: {
      project: belongsTo("project", "projectId", { onDelete: "cascade" }),
      assignee: belongsTo("user", "assigneeId"),
      comments: hasMany("comment", "taskId"),
      watchers: manyToMany("user"),
    },
    access: { read: ofMyProjects, create: ofMyProjects, update: ofMyProjects, delete: ofMyProjects },
    actions: {
      score: {
        on: "item",
        access: signedIn,
        run: ({ item, store }) => store.update(item.id, { internalScore: (item.internalScore ?? 0) + 1 }),
      },
    },
    internal: ["internalScore"],
    bulk: { create: 20, update: 20, delete: 20 },
    filterable: ["id", "title", "status", "projectId", "assigneeId", "dueAt"],
    sortable: ["title", "status", "dueAt"],
  });
  const comment = defineResource("comment", {
    fields: { id: z.string(), taskId: z.string(), authorId: z.string(), body: z.string() },
    relations: { task: belongsTo("task", "taskId", { onDelete: "cascade" }), author: belongsTo("user", "authorId") },
    access: {
      read: through("task", ofMyProjects),
      create: allOf(owner("authorId"), through("task", ofMyProjects)),
      update: owner("authorId"),
      delete: anyOf(admin, owner("authorId")),
    },
    filterable: ["body"],
    sortable: ["body"],
  });
  const auditLog = defineResource("auditLog", {
    fields: { id: z.string(), text: z.string() },
    access: { read: admin, create: deny, update: deny, delete: deny },
  });

  const entries: { readonly level: string; readonly message: string }[] = [];
  const keep =
    (level: string): Log["info"] =>
    (message) =>
      void entries.push({ level, message });
  const calls: string[] = [];
  const faults: Faults = { next: undefined };
  const api = defineApi({
    resources: [org, user, project, task, comment, auditLog],
    store: watched(store ?? memoryStore({ data: rows() }), calls, faults),
    auth: apiKeys({
      alice: { id: "alice", roles: ["user"] },
      adminA: { id: "adminA", roles: ["user", "admin"] },
      bob: { id: "bob", roles: ["user"] },
    }),
    log: { info: keep("info"), warn: keep("warn"), error: keep("error") },
    graphql,
  });
  return { api, members, entries, calls, faults, system: asSystem("a test prepares its rows") };
}

/** The error that the next call to the store throws. */
interface Faults {
  next: Error | undefined;
}

/** A store that records its calls. */
function watched(store: Store, calls: string[], faults: Faults): Store {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        // Called on each request, and for no particular row.
        if (name === "load") return Reflect.apply(member, target, args);
        if (name !== "open" && name !== "close") calls.push(String(name));
        const fault = faults.next;
        faults.next = undefined;
        if (fault !== undefined) throw fault;
        return Reflect.apply(member, target, args);
      };
    },
  });
}

export type Orgs = ReturnType<typeof createOrgs>;
export type Who = "anon" | "alice" | "adminA" | "bob";

/** Three tasks of organization A and three of B. The ids show the organization. */
export function rows() {
  const task = (id: string, projectId: string, more: object = {}): Record<string, unknown> => {
    const nothing = { assigneeId: null, internalScore: 50, meta: null, dueAt: null };
    return { id, title: `Task ${id}`, status: "open", projectId, ...nothing, ...more };
  };
  return {
    org: [
      { id: "a", name: "Org A" },
      { id: "b", name: "Org B" },
    ],
    user: [
      {
        id: "alice",
        orgId: "a",
        name: "Alice",
        email: "alice@a.example",
        passwordHash: "$2b$10$alice",
        role: "user",
        createdAt: null,
      },
      {
        id: "adminA",
        orgId: "a",
        name: "Admin",
        email: "admin@a.example",
        passwordHash: "$2b$10$admin",
        role: "admin",
        createdAt: null,
      },
      {
        id: "bob",
        orgId: "b",
        name: "Bob",
        email: "bob@b.example",
        passwordHash: "$2b$10$bob",
        role: "user",
        createdAt: null,
      },
    ],
    project: [
      { id: "pa", name: "Project A", orgId: "a", budget: 100, version: 1 },
      { id: "pb", name: "Project B", orgId: "b", budget: 200, version: 1 },
    ],
    task: [
      task("a1", "pa", { assigneeId: "adminA" }),
      task("a2", "pa", { status: "done" }),
      task("a3", "pa"),
      task("b1", "pb", { assigneeId: "bob" }),
      task("b2", "pb", { status: "done" }),
      task("b3", "pb"),
    ],
    comment: [
      { id: "ca", taskId: "a1", authorId: "alice", body: "of a" },
      { id: "cb", taskId: "b1", authorId: "bob", body: "of b" },
    ],
    auditLog: [{ id: "1", text: "secret" }],
  };
}
