import {
  allow,
  apiKeys,
  belongsTo,
  BifocalError,
  defineApi,
  defineResource,
  deny,
  hasMany,
  hasRole,
  manyToMany,
  memoryStore,
  owner,
  sequence,
  signedIn,
  silentLog,
  type Store,
  updatedNow,
} from "@bifocal/core";
import { fetchHandler } from "@bifocal/fetch";
import { z } from "zod";

const ROLES = { read: allow, create: signedIn, update: signedIn, delete: signedIn };

/** Books with every kind of field that a history treats differently, and rows that refer to them. */
export function createShelf(store: Store = memoryStore()) {
  const book = defineResource("book", {
    fields: {
      id: z.int(),
      title: z.string().min(1),
      price: z.number().nullable(),
      ownerId: z.string().default("ann"),
      notes: z.string().nullable(),
      code: z.string().nullable(),
      hash: z.string().nullable(),
      tags: z.array(z.string()).default([]),
      version: z.int(),
      changedAt: z.iso.datetime(),
      deletedAt: z.iso.datetime().nullable(),
    },
    generated: { id: sequence(), changedAt: updatedNow() },
    version: "version",
    internal: ["hash"],
    softDelete: "deletedAt",
    history: true,
    relations: {
      reviews: hasMany("review", "bookId", { creates: 5, writes: { create: 5, update: 5, delete: 5 } }),
      labels: manyToMany("label"),
    },
    bulk: { create: 10, update: 10, delete: 10 },
    filterable: ["title"],
    access: {
      ...ROLES,
      deleted: hasRole("editor"),
      fields: { price: { read: hasRole("editor") }, notes: { read: owner("ownerId") }, code: { read: deny } },
    },
    hooks: {
      update: {
        before: ({ input }) => (input.title === "trim me" ? { ...input, title: "trimmed" } : input),
        after: ({ item }) => {
          if (item.title === "fail") throw new BifocalError("CONFLICT", "No.");
        },
      },
    },
    actions: {
      publish: {
        on: "item",
        access: signedIn,
        run: async ({ item, store, stores }) => {
          await store.update(item.id, { title: `${item.title}!` });
          await stores("label").create({ slug: `of-${item.id}`, name: item.title });
        },
      },
    },
  });
  const review = defineResource("review", {
    fields: { id: z.int(), text: z.string(), bookId: z.int(), deletedAt: z.iso.datetime().nullable() },
    generated: { id: sequence() },
    history: true,
    softDelete: "deletedAt",
    relations: { book: belongsTo("book", "bookId", { onDelete: "cascade" }) },
    access: ROLES,
  });
  const label = defineResource("label", {
    fields: { slug: z.string(), name: z.string(), parent: z.string().nullable() },
    key: "slug",
    upsert: true,
    history: true,
    relations: { above: belongsTo("label", "parent", { onDelete: "setNull" }) },
    access: { ...ROLES, history: hasRole("editor") },
  });
  return defineApi({
    resources: [book, review, label],
    auth: apiKeys({ ann: { id: "ann" }, bob: { id: "bob" }, ed: { id: "ed", roles: ["editor"] } }),
    store,
    log: silentLog,
  });
}

export type Shelf = ReturnType<typeof createShelf>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Sends a request as a caller: `ann` owns the books, `bob` doesn't, and `ed` is an editor. */
export async function send(
  api: Shelf,
  as: "ann" | "bob" | "ed" | undefined,
  request: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const [method = "", path = ""] = request.split(" ");
  const authorization = as === undefined ? {} : { authorization: `Bearer ${as}` };
  const response = await fetchHandler(api)(
    new Request(`http://localhost${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...authorization, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

export interface Entry {
  readonly id: string;
  readonly at: string;
  readonly by: string | null;
  readonly operation: string;
  readonly action: string | null;
  readonly changes: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
}

/** Returns the history of a row, newest entry first. */
export async function historyOf(api: Shelf, as: Parameters<typeof send>[1], path: string): Promise<readonly Entry[]> {
  const { status, body } = await send(api, as, `GET ${path}/history?page[size]=100`);
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body as readonly Entry[];
}

/** Returns what an entry reports, with the names of the changed fields. */
export function shortOf({ by, operation, action, changes }: Entry): string {
  const fields = changes.map(({ field }) => field);
  return `${by} ${action ?? operation} ${fields.join(" ")}`;
}
