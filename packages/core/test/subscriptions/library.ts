import { z } from "zod";
import {
  allow,
  asSystem,
  type Authenticator,
  belongsTo,
  BifocalError,
  defineApi,
  defineResource,
  hasMany,
  type LimitOptions,
  type Principal,
} from "../../src/index.ts";
import { countingStore, keepingLog } from "../counting-store.ts";
import { countListeners } from "./listeners.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };

export const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access: open,
  filterable: ["name"],
});

/** Editors see drafts, authenticated callers see prices, and owners see secrets. */
export const book = defineResource("book", {
  fields: {
    id: z.int32(),
    title: z.string(),
    authorId: z.int32(),
    price: z.number(),
    draft: z.boolean(),
    owner: z.string(),
    secret: z.string(),
  },
  relations: { author: belongsTo("author", "authorId") },
  access: {
    ...open,
    read: ({ principal }) => principal?.roles?.includes("editor") === true || { draft: { eq: false } },
    fields: {
      price: { read: ({ principal }) => principal !== null },
      secret: { read: ({ principal }) => (principal === null ? false : { owner: { eq: principal.id } }) },
    },
  },
  filterable: ["title", "id"],
  page: { size: 5, max: 5 },
});

export const PRINCIPALS = {
  ann: { id: "ann", roles: ["editor"] },
  bob: { id: "bob", roles: ["editor"] },
  cy: { id: "cy" },
} as const satisfies Record<string, Principal>;

/** `key`, or `key@milliseconds` for a credential that expires after this time. */
const keys: Authenticator = {
  challenge: "Bearer",
  schemes: { bearer: { type: "http", scheme: "bearer" } },
  authenticate({ headers, connectionParams }) {
    const given = connectionParams?.["key"] ?? headers["authorization"];
    const shown = typeof given === "string" ? given.replace("Bearer ", "") : "";
    if (shown === "") return null;
    const [name = "", life] = shown.split("@");
    const principal = (PRINCIPALS as Record<string, Principal>)[name];
    if (principal === undefined) throw new BifocalError("UNAUTHENTICATED", "There is no such key.");
    return life === undefined ? principal : { principal, expires: new Date(Date.now() + Number(life)) };
  },
};

export function createLibrary(limits: LimitOptions = {}) {
  const { store, calls } = countingStore({
    data: {
      author: [{ id: 1, name: "Jane" }],
      book: [1, 2, 3].map((id) => newBook(id)),
    },
  });
  const listeners = countListeners();
  const { log, entries } = keepingLog();
  const api = defineApi({ resources: [author, book], store, auth: keys, limits, log });
  /** Writes without access rules. */
  const books = api.as(asSystem("a test")).book;
  return { api, books, calls, listeners, entries };
}

export function newBook(id: number) {
  return { id, title: `Book ${id}`, authorId: 1, price: id, draft: id === 3, owner: "ann", secret: `secret ${id}` };
}
