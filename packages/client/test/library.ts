import {
  allow,
  type Authenticator,
  belongsTo,
  BifocalError,
  defineApi,
  defineResource,
  deny,
  hasMany,
  manyToMany,
  type Principal,
  signedIn,
  silentLog,
  type Store,
} from "@bifocal/core";
import { z } from "zod";

const paper = z.object({ kind: z.literal("paper"), pages: z.int32() }).meta({ id: "Paper" });
const ebook = z.object({ kind: z.literal("ebook"), megabytes: z.number() }).meta({ id: "Ebook" });

/** Its plural and its path are its own. */
export const person = defineResource("person", {
  plural: "people",
  path: "staff",
  fields: {
    id: z.uuid(),
    name: z.string().min(1),
    email: z.email().nullable(),
    born: z.int32().nullable(),
    pin: z.string().nullable(),
  },
  internal: ["pin"],
  relations: { books: hasMany("book", "authorId", { writes: { create: 5, update: 5, delete: 5 }, creates: 5 }) },
  access: {
    read: allow,
    create: signedIn,
    update: signedIn,
    delete: signedIn,
    fields: { email: { read: ({ principal }) => ({ id: { eq: principal?.id } }) } },
  },
  bulk: { create: 10, update: 10, delete: 10 },
  filterable: ["id", "name", "born"],
  sortable: ["name", "born"],
  page: { size: 3, max: 20 },
});

export const book = defineResource("book", {
  fields: {
    id: z.uuid(),
    title: z.string().min(1),
    authorId: z.uuid(),
    price: z.number().nonnegative(),
    genre: z.enum(["novel", "poem"]),
    addedAt: z.date(),
    words: z.bigint().nullable(),
    size: z.object({ width: z.number(), height: z.number() }).nullable(),
    format: z.discriminatedUnion("kind", [paper, ebook]).meta({ id: "Format" }).nullable(),
    code: z.codec(z.string(), z.string(), { decode: (text) => text, encode: (text) => text }).nullable(),
  },
  internal: ["code"],
  relations: { author: belongsTo("person", "authorId"), tags: manyToMany("tag", { links: 10 }) },
  access: {
    read: ({ principal }) => (principal === null ? { price: { lt: 100 } } : true),
    create: signedIn,
    update: signedIn,
    delete: signedIn,
    fields: { words: { read: signedIn } },
  },
  bulk: { create: 10, update: 10, delete: 10 },
  filterable: ["id", "title", "price", "genre", "addedAt", "words"],
  sortable: ["title", "price", "addedAt"],
  aggregatable: ["price", "addedAt", "words"],
  groupable: ["genre", "addedAt"],
  queries: {
    cheap: {
      on: "collection",
      input: z.object({ below: z.number(), genres: z.array(z.enum(["novel", "poem"])).optional() }),
      access: allow,
      run: ({ input }) => ({
        filter: { price: { lt: input.below }, ...(input.genres === undefined ? {} : { genre: { in: input.genres } }) },
        sort: ["-price"],
      }),
    },
    similar: {
      on: "item",
      access: allow,
      run: ({ item }) => ({ filter: { genre: { eq: item.genre }, id: { ne: item.id } } }),
    },
    added: { on: "item", output: z.object({ at: z.date() }), access: allow, run: ({ item }) => ({ at: item.addedAt }) },
    stats: { on: "collection", output: z.object({ most: z.bigint() }), access: signedIn, run: () => ({ most: 5n }) },
  },
  actions: {
    discount: {
      on: "item",
      input: z.object({ percent: z.number() }),
      access: signedIn,
      run: async ({ item, input, store }) => store.update(item.id, { price: item.price * (1 - input.percent / 100) }),
    },
    count: {
      on: "collection",
      access: allow,
      output: z.bigint(),
      run: async ({ store }) => BigInt((await store.list()).length),
    },
    ping: { on: "collection", access: allow, run: () => {} },
  },
});

/** Its key is a number, and it counts its writes. */
export const tag = defineResource("tag", {
  fields: { id: z.int32(), name: z.string(), writes: z.int32() },
  version: "writes",
  history: true,
  relations: { books: manyToMany("book") },
  access: { read: allow, create: signedIn, update: signedIn, delete: signedIn },
  bulk: { update: 10, delete: 10 },
  filterable: ["id", "name"],
  sortable: ["name"],
});

/** Its key has two fields, and it keeps deleted rows. */
export const shelf = defineResource("shelf", {
  plural: "shelves",
  key: ["room", "slot"],
  fields: { room: z.string(), slot: z.int32(), label: z.string(), deletedAt: z.iso.datetime().nullable() },
  softDelete: "deletedAt",
  access: { read: allow, create: signedIn, update: signedIn, delete: signedIn, deleted: signedIn },
  bulk: { update: 10, delete: 10 },
  filterable: ["room", "label"],
  sortable: ["label", "slot"],
});

/** Can't be written over HTTP. */
export const log = defineResource("log", {
  operations: { rest: ["get", "list", "watch"], graphql: ["get"] },
  fields: { id: z.uuid(), text: z.string() },
  access: { read: allow, create: allow, update: deny, delete: deny },
});

/** Trusts the name that the client sends. On a WebSocket, it is in the first message. */
const byName: Authenticator = {
  challenge: "Bearer",
  schemes: {},
  authenticate: ({ headers, connectionParams = {} }) => {
    const sent = (connectionParams["authorization"] ?? headers["authorization"] ?? "") as string;
    const name = /^Bearer (.+)$/.exec(sent)?.[1];
    if (name === "expired") throw new BifocalError("UNAUTHENTICATED", "The token has expired.");
    return name === undefined ? null : { id: name };
  },
};

export const ANN: Principal = { id: "a0000000-0000-4000-8000-000000000001" };

export function createLibrary(store: Store, more: { readonly persisted?: object } = {}) {
  return defineApi({
    resources: [person, book, tag, shelf, log],
    store,
    auth: byName,
    secret: "a secret of at least thirty-two characters",
    log: silentLog,
    graphql: { ...more },
  });
}

export type Library = ReturnType<typeof createLibrary>;
