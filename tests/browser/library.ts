import {
  allow,
  apiKeys,
  belongsTo,
  computed,
  defineApi,
  defineResource,
  hasMany,
  manyToMany,
  memoryStore,
  sequence,
  signedIn,
  silentLog,
  updatedNow,
} from "@bifocal/core";
import type { ReferencePage } from "@bifocal/core/pages";
import { rateLimit } from "@bifocal/core/rate-limit";
import { apiConsole } from "@bifocal/console";
import { graphiql } from "@bifocal/graphiql";
import { swaggerUi } from "@bifocal/swagger-ui";
import type { Page } from "playwright-core";
import { z } from "zod";
import { serveApi } from "./serve-api.ts";

export const KEY = "k".repeat(24);
const OWN = { read: allow, create: signedIn, update: signedIn, delete: signedIn };

const author = defineResource("author", {
  description: "A **person** who writes. Sort by `name`, see [the console](/console).",
  fields: { id: z.int(), name: z.string().min(1) },
  generated: { id: sequence() },
  relations: { books: hasMany("book", "authorId") },
  access: OWN,
  filterable: ["name"],
  search: ["name"],
});
const book = defineResource("book", {
  description: "A book of the library.",
  fields: {
    id: z.int(),
    title: z.string().min(1),
    genre: z.enum(["novel", "essay"]),
    price: z.number().nullable().meta({ description: "In euros." }),
    authorId: z.int(),
    languages: z.array(z.string()).default([]),
    shelf: z.object({ room: z.string(), row: z.int() }).nullable(),
    link: z.url().nullable(),
    isLent: z.boolean().default(false),
    publishedOn: z.iso.date().nullable(),
    changedAt: z.iso.datetime(),
    version: z.int(),
  },
  generated: { id: sequence(), changedAt: updatedNow() },
  version: "version",
  history: true,
  relations: { author: belongsTo("author", "authorId"), labels: manyToMany("label", { links: 20 }) },
  access: OWN,
  filterable: ["title", "genre", "price", "authorId", "languages", "isLent", "publishedOn"],
  sortable: ["title", "price"],
  aggregatable: ["price"],
  groupable: ["genre"],
  search: ["title"],
  queries: {
    cheap: { on: "collection", access: allow, run: () => ({ filter: { price: { lt: 10 } } }) },
    pricedBelow: {
      description: "The books below a `price`.",
      on: "collection",
      input: z.object({ price: z.number() }),
      access: allow,
      run: ({ input }) => ({ filter: { price: { lt: input.price } } }),
    },
  },
  actions: {
    lend: {
      description: "Lends the book until a day.",
      on: "item",
      input: z.object({ until: z.iso.date(), authorId: z.int().optional(), note: z.string().optional() }),
      access: signedIn,
      run: ({ item, store }) => store.update(item.id, { isLent: true }),
    },
    count: {
      on: "collection",
      output: z.object({ total: z.int() }),
      access: allow,
      run: async ({ store }) => ({ total: (await store.list({})).length }),
    },
  },
});
const label = defineResource("label", { fields: { id: z.int(), name: z.string() }, access: OWN });
const note = defineResource("note", {
  fields: { id: z.int(), text: z.string().min(1) },
  generated: { id: sequence() },
  access: OWN,
});
/** Rows that can't be read, and rows that only callers who sign in can read. */
const fault = defineResource("fault", {
  fields: { id: z.int() },
  computed: {
    broken: computed(z.string(), {
      from: ["id"],
      get: () => {
        throw new Error("broken on purpose");
      },
    }),
  },
  access: OWN,
});
const secret = defineResource("secret", {
  fields: { id: z.int(), text: z.string() },
  access: { ...OWN, read: signedIn },
});

const BOOKS = Array.from({ length: 30 }, (_, at) => ({
  id: at + 1,
  title: `Book ${at + 1}`,
  genre: at % 2 === 0 ? "novel" : "essay",
  price: at === 3 ? null : 4.5 + at,
  authorId: (at % 3) + 1,
  languages: ["en", "de"],
  shelf: { room: "North", row: at },
  link: "https://example.com/book",
  isLent: at === 0,
  publishedOn: "1969-03-01",
  changedAt: "2026-01-02T03:04:05.000Z",
  version: 1,
}));
const AUTHORS = ["Ann", "Ben", "Cleo"].map((name, at) => ({ id: at + 1, name }));

interface LibraryOptions {
  /** The rate limit. Default: none. */
  readonly points?: number;
  /** Number of rows at which counting stops. */
  readonly maxCount?: number;
  /** Default: Swagger UI. */
  readonly docs?: ReferencePage;
}

/** Starts an API with a page of each kind. */
export async function startLibrary({ points, maxCount, docs = swaggerUi() }: LibraryOptions = {}) {
  const api = defineApi({
    info: { title: "Library", description: "Books, their authors, and `labels`." },
    resources: [author, book, label, note, fault, secret],
    store: memoryStore({ data: { author: AUTHORS, book: BOOKS, label: [{ id: 1, name: "Red" }], fault: [{ id: 1 }] } }),
    auth: apiKeys({ [KEY]: { id: "ann" } }),
    docs,
    console: apiConsole(),
    graphql: { graphiql: graphiql() },
    log: silentLog,
    ...(maxCount === undefined ? {} : { limits: { query: { count: maxCount } } }),
    ...(points === undefined ? {} : { rateLimit: rateLimit({ points, anonymousPoints: points }) }),
  });
  return { ...(await serveApi(api)), api };
}

export interface PageKind {
  readonly name: string;
  readonly path: string;
  readonly isSignedIn?: boolean;
  /** Brings the page into the state to look at. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** A page of each kind that Bifocal writes. */
export const PAGE_KINDS: readonly PageKind[] = [
  { name: "index", path: "/" },
  { name: "list", path: "/books?filter[genre]=novel&include=author,labels&sort=-price&count=true" },
  { name: "last page of a list", path: "/books?page[offset]=20", isSignedIn: true },
  { name: "empty list", path: "/notes", isSignedIn: true },
  { name: "list without matches", path: "/books?filter[title]=none" },
  { name: "search", path: "/books?q=book" },
  { name: "query", path: "/books/priced-below?price=9" },
  { name: "aggregate", path: "/books?aggregate=count,avg.price&group=genre" },
  { name: "row", path: "/books/1" },
  { name: "row with embedded rows", path: "/authors/1?include=books" },
  { name: "related rows", path: "/authors/1/books" },
  { name: "history", path: "/books/1/history" },
  {
    name: "form for a new row",
    path: "/books",
    isSignedIn: true,
    prepare: (page) => page.getByRole("link", { name: "New book" }).click(),
  },
  { name: "rejected form", path: "/books", isSignedIn: true, prepare: submitEmptyForm },
  { name: "edit form and action", path: "/books/1", isSignedIn: true },
  {
    name: "delete dialog",
    path: "/books/1",
    isSignedIn: true,
    prepare: (page) => page.getByRole("button", { name: "Delete" }).click(),
  },
  { name: "sign-in", path: "/secrets" },
  { name: "unknown path", path: "/nothing/at/all" },
  { name: "missing row", path: "/books/999" },
  { name: "invalid request", path: "/books?sort=tittle&filter[genra]=novel" },
  { name: "page of an error code", path: "/-/errors/validation-failed" },
  { name: "server error", path: "/faults/1" },
  { name: "schema", path: "/-/schema" },
  { name: "schema of a resource", path: "/-/schema/books" },
  { name: "schema for a caller", path: "/-/schema/books", isSignedIn: true },
  { name: "console", path: "/console" },
];

async function submitEmptyForm(page: Page): Promise<void> {
  await page.getByRole("link", { name: "New book" }).click();
  await page.locator("#create").getByRole("button", { name: "Create" }).click();
  await page.locator("#create .errors:visible").waitFor();
}
