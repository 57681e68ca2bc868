import { allow, belongsTo, defineApi, defineResource, hasMany, signedIn, silentLog } from "@bifocal/core";
import { z } from "zod";

const open = { read: allow, create: allow, update: allow, delete: allow };

/** Returns the API that the audits run against. Mount it with the adapter under test, a new one for each server. */
export function createAuditApi() {
  const note = defineResource("note", {
    fields: {
      id: z.int(),
      text: z.string().min(1),
      stars: z.int32().min(0).max(5),
      words: z.array(z.string()).default([]),
      noteId: z.int().nullable(),
    },
    relations: { parent: belongsTo("note", "noteId", { onDelete: "setNull" }), children: hasMany("note", "noteId") },
    access: open,
    filterable: ["id", "text", "stars"],
    sortable: ["id", "stars"],
    bulk: { create: 10, update: 10, delete: 10 },
    upsert: true,
    actions: {
      shout: {
        on: "item",
        access: allow,
        run: ({ item, store }) => store.update(item.id, { text: item.text.toUpperCase() }),
      },
    },
  });
  const secret = defineResource("secret", {
    fields: { id: z.int(), text: z.string() },
    path: "locked",
    access: { read: signedIn, create: signedIn, update: signedIn, delete: signedIn },
  });
  const draft = defineResource("draft", {
    fields: { id: z.int(), text: z.string() },
    path: "careful",
    access: open,
    requirePrecondition: true,
  });
  const relic = defineResource("relic", {
    fields: { id: z.int() },
    path: "fading",
    access: open,
    deprecated: { since: "2026-01-01", sunset: "2027-01-01", link: "https://example.com/why" },
    cache: { public: true, maxAge: 60 },
  });
  return defineApi({
    resources: [note, secret, draft, relic],
    auth: {
      challenge: 'Bearer realm="audit"',
      schemes: { bearer: { type: "http", scheme: "bearer" } },
      authenticate: ({ headers }) => (headers["authorization"] === "Bearer audit" ? { id: "auditor" } : null),
    },
    cors: { origins: ["https://app.example"] },
    // The audits of graphql-http use it, in production too.
    introspection: true,
    log: silentLog,
  });
}
