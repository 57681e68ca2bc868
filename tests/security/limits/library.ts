import {
  allow,
  type ApiOptions,
  type Authenticator,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  memoryStore,
  type Principal,
  silentLog,
} from "@bifocal/core";
import { z } from "zod";
import { ADAPTERS, type Served } from "../auth/serve.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
export const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["id", "name"],
  sortable: ["id", "name"],
});
export const book = defineResource("book", {
  fields: { id: z.int32(), authorId: z.int32(), title: z.string() },
  relations: { author: belongsTo("author", "authorId", { onDelete: "cascade" }) },
  access,
  bulk: { create: 50 },
  filterable: ["id", "title"],
  sortable: ["id", "title"],
  groupable: ["title"],
});

/** Authenticates the caller by the name in the header or in the payload of `connection_init`. */
export const byName: Authenticator = {
  headers: ["X-User"],
  challenge: "Name",
  schemes: {},
  authenticate: ({ headers, connectionParams }) => {
    const id = connectionParams?.["user"] ?? headers["x-user"];
    return typeof id === "string" ? { id } : null;
  },
};

/** Authenticates the principal in the header after a lookup of 50 milliseconds. */
const byLookup: Authenticator = {
  headers: ["X-Looked-Up"],
  challenge: "Lookup",
  schemes: {},
  authenticate: async ({ headers, connectionParams }, source) => {
    const id = connectionParams?.["lookedUp"] ?? headers["x-looked-up"];
    if (typeof id !== "string") return null;
    const find = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { id };
    };
    return source === undefined ? find() : source.lookUp(id, find);
  },
};

type Options = Partial<Omit<ApiOptions<readonly [typeof author, typeof book]>, "resources">>;

/** Two authors and three books, in memory unless `options` has another store. */
export function createLibrary(options: Options = {}) {
  const data = {
    author: [
      { id: 1, name: "Jane Austen" },
      { id: 2, name: "Mary Shelley" },
    ],
    book: [
      { id: 1, authorId: 1, title: "Emma" },
      { id: 2, authorId: 1, title: "Persuasion" },
      { id: 3, authorId: 2, title: "Frankenstein" },
    ],
  };
  const graphql = { batching: true };
  const store = memoryStore({ data });
  return defineApi({ resources: [author, book], store, auth: [byName, byLookup], graphql, log: silentLog, ...options });
}

export type Library = ReturnType<typeof createLibrary>;
export const serve = (api: Library): Promise<Served> => ADAPTERS["node-http"](api);
export const user = (id: string): Principal => ({ id });
