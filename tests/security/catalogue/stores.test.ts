import { allow, defineApi, defineResource, memoryStore, silentLog, type Store } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { servers } from "@bifocal/test-servers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { expectCleanPrototypes } from "../access/case.ts";
import { ADAPTERS, type Served } from "../auth/serve.ts";
import { byName } from "../limits/library.ts";

const user = defineResource("user", {
  fields: { id: z.string(), email: z.string().normalize("NFC"), usedAt: z.string().nullable().default(null) },
  access: { read: allow, create: allow, update: allow, delete: allow },
  unique: ["email"],
  filterable: ["email", "usedAt"],
  actions: {
    /** An action that must succeed only once: its update statement checks whether it has run already. */
    redeem: {
      on: "item",
      input: z.object({}),
      access: () => ({ usedAt: { isNull: true } }),
      run: ({ item, principal, store }) => store.update(item.id, { usedAt: principal?.id ?? "nobody" }),
    },
  },
});
const note = defineResource("note", {
  fields: { id: z.string(), ownerId: z.string(), text: z.string(), version: z.int() },
  version: "version",
  access: {
    read: allow,
    create: allow,
    update: ({ principal }) => principal?.id === "system" || { ownerId: { eq: principal?.id ?? "" } },
    delete: allow,
  },
});

const createApi = (store: Store) => defineApi({ resources: [user, note], store, auth: byName, log: silentLog });

const STORES = [
  { name: "memory", missing: undefined, open: async () => ({ store: memoryStore(), url: "", drop: async () => {} }) },
  ...servers.map(({ name, missing, create }) => ({
    name,
    missing,
    open: async () => {
      const { url, drop } = await create();
      return { store: sqlStore({ url, autoCreate: true, max: 4 }), url, drop };
    },
  })),
];

describe.each(STORES)("on $name", ({ name, missing, open }) => {
  let served: Served;
  let api: ReturnType<typeof createApi>;
  let url: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    if (missing !== undefined) return;
    const opened = await open();
    ({ url, drop } = opened);
    api = createApi(opened.store);
    served = await ADAPTERS["node-http"](api);
    await api.ready;
  }, 60_000);
  afterAll(async () => {
    if (missing !== undefined) return;
    await served.close();
    await drop();
  });

  const send = async (who: string, method: string, path: string, body: unknown) => {
    const headers = { "content-type": "application/json", "x-user": who };
    const response = await fetch(served.url + path, { method, headers, body: JSON.stringify(body) });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };
  /** Checks that every connection of the pool is free again and that each request gets a response. */
  const isWell = async (): Promise<void> => {
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await send("x", "QUERY", "/users", {})).status),
    );
    expect(statuses).toEqual(statuses.map(() => 200));
    expectCleanPrototypes();
  };

  test.skipIf(missing !== undefined)("C13: treats text in different Unicode normalization forms as equal", async () => {
    expect((await send("x", "POST", "/users", { id: "nfc", email: "\u00e9@x.example" })).status).toBe(201);
    for (const email of ["e\u0301@x.example", "\u00e9@x.example"]) {
      expect((await send("x", "POST", "/users", { id: "other", email })).status).toBe(409);
    }
    const { json } = await send("x", "QUERY", "/users", { filter: { email: "\u00e9@x.example" } });
    expect(json).toMatchObject([{ id: "nfc", email: "\u00e9@x.example" }]);
    await isWell();
  });

  test.skipIf(missing !== undefined)(
    "I13: lets one of fifty concurrent creates with the same unique value succeed, in both styles",
    async () => {
      const mutation = "mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }";
      const results = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const input = { id: `i13-${index}`, email: "one@x.example" };
          if (index % 2 === 0) return (await send("x", "POST", "/users", input)).status;
          const { json } = await send("x", "POST", "/graphql", { query: mutation, variables: { input } });
          const [error] = (json["errors"] ?? []) as readonly { readonly extensions: { readonly code: string } }[];
          return error === undefined ? 201 : error.extensions.code === "CONFLICT" ? 409 : error.extensions.code;
        }),
      );
      expect(results.filter((status) => status === 201)).toHaveLength(1);
      expect(results.filter((status) => status === 409)).toHaveLength(49);
      const { json } = await send("x", "QUERY", "/users", { filter: { email: "one@x.example" } });
      expect(json).toHaveLength(1);
      await isWell();
    },
  );

  test.skipIf(missing !== undefined)("I14: a single-use action succeeds once, for the first caller", async () => {
    await send("x", "POST", "/users", { id: "i14", email: "i14@x.example" });
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => send(`u${index}`, "POST", "/users/i14/redeem", {})),
    );
    const winners = replies.flatMap(({ status }, index) => (status === 200 ? [`u${index}`] : []));
    expect(winners).toHaveLength(1);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 403]));
    const { json } = await send("x", "QUERY", "/users", { filter: { email: "i14@x.example" } });
    expect(json).toMatchObject([{ usedAt: winners[0] }]);
    await isWell();
  });

  test.skipIf(missing !== undefined)(
    "I15: writes nothing if the caller loses access to the row before the write",
    async () => {
      for (let round = 0; round < 20; round++) {
        const id = `i15-${round}`;
        await send("ann", "POST", "/notes", { id, ownerId: "ann", text: "" });
        const [moved, written] = await Promise.all([
          send("system", "PATCH", `/notes/${id}`, { ownerId: "ben" }),
          send("ann", "PATCH", `/notes/${id}`, { text: "ann's" }),
        ]);
        expect(moved.status).toBe(200);
        expect([200, 403]).toContain(written.status);
        // Versions count the writes: her write was either the first, or it didn't happen.
        expect([written.status === 200, written.json["version"]]).toEqual(
          written.status === 200 ? [true, 2] : [false, undefined],
        );
      }
      await isWell();
    },
  );

  test.skipIf(missing !== undefined || name !== "postgres")(
    "J14: listening for changes holds no transaction open, so that no commit waits for it",
    async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<{ readonly state: string; readonly began: unknown; readonly usage: number }>(
        `select state, xact_start as began, pg_notification_queue_usage() as usage from pg_stat_activity
         where datname = current_database() and application_name = 'bifocal bus'`,
      );
      await client.end();
      expect(rows).toMatchObject([{ state: "idle", began: null }]);
      // Usage of the server's queue, which all databases share.
      expect(rows[0]?.usage).toBeLessThan(0.01);
    },
  );
});
