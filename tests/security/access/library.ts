import {
  allow,
  apiKeys,
  belongsTo,
  defineApi,
  defineResource,
  deny,
  hasMany,
  hasRole,
  type LimitOptions,
  manyToMany,
  memoryStore,
  anyOf,
  owner,
  signedIn,
  silentLog,
} from "@bifocal/core";
import { z } from "zod";

const admin = hasRole("admin");
const shown = anyOf(admin, () => ({ hidden: { eq: false } }));

/** One resource per rule, so that exactly one check rejects each request. */
export function createLibrary(limits: LimitOptions = {}) {
  const changes: string[] = [];
  const vault = defineResource("vault", {
    fields: { id: z.string(), name: z.string() },
    access: { read: admin, create: deny, update: deny, delete: deny },
    filterable: ["name"],
    sortable: ["name"],
  });
  const box = defineResource("box", {
    fields: { id: z.string(), name: z.string(), ownerId: z.string() },
    access: { read: owner("ownerId"), create: deny, update: deny, delete: deny },
    filterable: ["name"],
    sortable: ["name"],
  });
  const tag = defineResource("tag", {
    fields: { id: z.string() },
    relations: { racks: manyToMany("rack") },
    access: { read: allow, create: deny, update: deny, delete: deny, relations: { racks: { link: allow } } },
  });
  const card = defineResource("card", {
    fields: { id: z.string(), text: z.string(), rackId: z.string().nullable().default(null) },
    relations: { rack: belongsTo("rack", "rackId") },
    access: { read: allow, create: deny, update: signedIn, delete: deny },
    upsert: true,
  });
  const letter = defineResource("letter", {
    fields: { id: z.string(), text: z.string() },
    access: { read: admin, create: signedIn, update: deny, delete: deny },
    bulk: { create: 9 },
  });
  const line = defineResource("line", {
    fields: { id: z.string(), secret: z.string() },
    relations: { presses: hasMany("press", "lineId") },
    access: { read: allow, create: deny, update: deny, delete: deny, fields: { secret: { read: admin } } },
    sortable: ["secret"],
  });
  const press = defineResource("press", {
    fields: { id: z.string(), lineId: z.string(), secret: z.string() },
    relations: { line: belongsTo("line", "lineId") },
    access: { read: allow, create: deny, update: deny, delete: deny, fields: { secret: { read: admin } } },
    filterable: ["secret"],
    sortable: ["secret"],
  });
  const rack = defineResource("rack", {
    fields: {
      id: z.string(),
      name: z.string().min(2),
      secret: z.string(),
      ownerId: z.string(),
      vaultId: z.string().nullable(),
      hidden: z.boolean(),
    },
    relations: {
      things: hasMany("thing", "rackId"),
      counted: hasMany("thing", "rackId"),
      vault: belongsTo("vault", "vaultId"),
      tags: manyToMany("tag"),
    },
    access: {
      read: shown,
      create: admin,
      update: owner("ownerId"),
      delete: deny,
      fields: { secret: { read: admin } },
      relations: { counted: { read: admin } },
    },
    filterable: ["name", "secret"],
    sortable: ["name", "secret"],
  });
  const thing = defineResource("thing", {
    fields: {
      id: z.string(),
      label: z.string(),
      note: z.string(),
      ownerId: z.string(),
      rackId: z.string(),
      boxId: z.string().nullable().default(null),
      vaultId: z.string().nullable().default(null),
      hidden: z.boolean().default(false),
    },
    relations: {
      rack: belongsTo("rack", "rackId", { onDelete: "cascade" }),
      box: belongsTo("box", "boxId"),
      vault: belongsTo("vault", "vaultId"),
    },
    access: {
      read: shown,
      create: signedIn,
      update: owner("ownerId"),
      delete: owner("ownerId"),
      fields: { note: { read: admin } },
    },
    hooks: { update: { before: ({ item }) => void changes.push(String((item as { id?: unknown } | undefined)?.id)) } },
    actions: {
      take: { on: "item", access: owner("ownerId"), run: () => undefined },
      clear: { on: "collection", access: owner("ownerId"), run: () => undefined },
    },
    bulk: { create: 9, update: 9, delete: 9 },
    filterable: ["label", "note"],
    sortable: ["label", "note"],
  });
  const one = (id: string, ownerId: string, more: object = {}): Record<string, unknown> => {
    const nothing = { boxId: null, vaultId: null, hidden: false };
    return { id, label: "x", note: `note of ${id}`, ownerId, rackId: "r1", ...nothing, ...more };
  };
  const data = {
    vault: [{ id: "v1", name: "Vault" }],
    box: [
      { id: "b1", name: "A", ownerId: "alice" },
      { id: "b2", name: "B", ownerId: "bob" },
    ],
    tag: [{ id: "new" }],
    card: [{ id: "c0", text: "t", rackId: "r1" }],
    letter: [],
    line: [{ id: "n1", secret: "s" }],
    press: [{ id: "p1", lineId: "n1", secret: "s" }],
    rack: [
      { id: "r1", name: "One", secret: "sesame", ownerId: "alice", vaultId: "v1", hidden: false },
      { id: "r2", name: "Two", secret: "open", ownerId: "bob", vaultId: null, hidden: false },
      { id: "r3", name: "Three", secret: "shut", ownerId: "alice", vaultId: null, hidden: true },
    ],
    thing: [one("t1", "alice"), one("t2", "bob"), one("t3", "alice", { hidden: true })],
  };
  const api = defineApi({
    resources: [vault, box, tag, card, letter, line, press, rack, thing],
    store: memoryStore({ data }),
    auth: apiKeys({
      alice: { id: "alice", roles: ["user"] },
      adminA: { id: "adminA", roles: ["admin"] },
      bob: { id: "bob", roles: ["user"] },
    }),
    log: silentLog,
    limits,
  });
  return { api, changes };
}
