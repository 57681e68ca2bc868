import {
  allow,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  hasRole,
  manyToMany,
  owner,
  silentLog,
  type Store,
} from "@bifocal/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Ask, bearerOf, PLACES, type Reply, withApi } from "./each-store.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };
const mine = { ...open, read: owner("ownerId"), update: owner("ownerId"), delete: owner("ownerId") };
const shelf = defineResource("shelf", {
  fields: { id: z.string(), ownerId: z.string(), label: z.string() },
  relations: { marks: manyToMany("mark") },
  access: mine,
  filterable: ["id"],
  bulk: { delete: 5 },
});
// Hidden from callers without the role, so no error may name this resource.
const secretBox = defineResource("secretBox", {
  fields: { id: z.string(), shelfId: z.string() },
  relations: { shelf: belongsTo("shelf", "shelfId") },
  access: { ...open, read: hasRole("keeper") },
});
const crate = defineResource("crate", {
  fields: { id: z.string(), shelfId: z.string() },
  relations: { shelf: belongsTo("shelf", "shelfId") },
  access: open,
});
const mark = defineResource("mark", {
  fields: { id: z.string() },
  access: { ...open, read: hasRole("keeper") },
});

const auth = bearerOf({ ann: { id: "ann" }, bob: { id: "bob" }, keeper: { id: "ann", roles: ["keeper"] } });
const graphqlAccept = { accept: "application/graphql-response+json" };

function createApi(store: Store) {
  const api = defineApi({
    resources: [shelf, secretBox, crate, mark],
    store,
    auth,
    log: silentLog,
  });
  const rows = api.as(asSystem("a test prepares its rows"));
  const prepared = (async () => {
    await api.ready;
    for (const id of ["free", "boxed", "crated", "marked"]) await rows.shelf.create({ id, ownerId: "ann", label: id });
    await rows.secretBox.create({ id: "b", shelfId: "boxed" });
    await rows.crate.create({ id: "c", shelfId: "crated" });
    await rows.mark.create({ id: "m" });
    await rows.shelf.link("marked", "marks", "m");
  })();
  return { api, prepared };
}

async function run(place: (typeof PLACES)[number], work: (ask: Ask) => Promise<void>): Promise<void> {
  let prepared: Promise<void> | undefined;
  const create = (store: Store) => {
    const made = createApi(store);
    ({ prepared } = made);
    return made.api;
  };
  await withApi(place, create, async (ask) => {
    await prepared;
    await work(ask);
  });
}

const seen = ({ status, text }: Reply, id: string): unknown => [status, text.replaceAll(id, "…")];

describe.each(PLACES)("changing a key, on $name", (place) => {
  test.skipIf(place.missing !== undefined)(
    "gives the same response for a hidden row as for a missing row",
    async () => {
      await run(place, async (ask) => {
        const ways = {
          patch: (id: string) => ask("bob", "PATCH", `/shelfs/${id}`, { body: { id: "new" } }),
          jsonPatch: (id: string) =>
            ask("bob", "PATCH", `/shelfs/${id}`, {
              body: [{ op: "replace", path: "/id", value: "new" }],
              headers: { "content-type": "application/json-patch+json" },
            }),
          put: (id: string) => ask("bob", "PUT", `/shelfs/${id}`, { body: { id: "new", ownerId: "bob", label: "x" } }),
          matched: (id: string) =>
            ask("bob", "PATCH", `/shelfs/${id}`, { body: { id: "new" }, headers: { "if-match": '"x"' } }),
          jsonApi: (id: string) =>
            ask("bob", "PATCH", `/shelfs/${id}`, {
              body: { data: { type: "shelfs", id, attributes: { label: "x" } } },
              headers: { "content-type": "application/vnd.api+json", accept: "application/vnd.api+json" },
            }),
          delete: (id: string) => ask("bob", "DELETE", `/shelfs/${id}`),
          mutation: (id: string) =>
            ask("bob", "POST", "/graphql", {
              body: { query: `mutation { updateShelf(id: "${id}", input: { id: "new" }) { id } }` },
              headers: graphqlAccept,
            }),
          deleteMutation: (id: string) =>
            ask("bob", "POST", "/graphql", {
              body: { query: `mutation { deleteShelf(id: "${id}") { id } }` },
              headers: graphqlAccept,
            }),
        };
        for (const [name, way] of Object.entries(ways)) {
          const none = seen(await way("none"), "none");
          for (const id of ["free", "boxed", "crated", "marked"]) {
            expect([name, id, seen(await way(id), id)]).toEqual([name, id, none]);
          }
        }
      });
    },
  );

  test.skipIf(place.missing !== undefined)("names only rows that the caller sees in a conflict", async () => {
    await run(place, async (ask) => {
      for (const [id, named] of [
        ["boxed", "secretBoxes"],
        ["marked", "marks"],
      ] as const) {
        for (const who of ["ann", "keeper"]) {
          const renamed = await ask(who, "PATCH", `/shelfs/${id}`, { body: { id: "new" } });
          expect([id, who, renamed.status, renamed.text.includes(named)]).toEqual([id, who, 409, who === "keeper"]);
        }
      }
      for (const who of ["ann", "keeper"]) {
        const deleted = await ask(who, "DELETE", "/shelfs/boxed");
        const many = await ask(who, "DELETE", "/shelfs?filter[id]=boxed");
        const mutation = await ask(who, "POST", "/graphql", {
          body: { query: 'mutation { deleteShelf(id: "boxed") { id } }' },
          headers: graphqlAccept,
        });
        for (const reply of [deleted, many, mutation]) {
          expect([reply.text.includes("CONFLICT"), reply.text.includes("secretBoxes")]).toEqual([
            true,
            who === "keeper",
          ]);
        }
      }
      const crated = await ask("ann", "DELETE", "/shelfs/crated");
      expect([crated.status, crated.text]).toEqual([409, expect.stringContaining("crates")]);
      expect((await ask("ann", "PATCH", "/shelfs/free", { body: { id: "new" } })).status).toBe(200);
    });
  });
});
