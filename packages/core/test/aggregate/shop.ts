import { z } from "zod";
import {
  allow,
  belongsTo,
  decimal,
  defineApi,
  defineResource,
  hasMany,
  memoryStore,
  type Principal,
  silentLog,
} from "../../src/index.ts";
import { csv, hal, htmlPages } from "../../src/formats.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const isEditor = ({ principal }: { readonly principal: Principal | null }): boolean => principal !== null;

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["name"],
  sortable: ["name"],
});

const book = defineResource("book", {
  fields: {
    id: z.int32(),
    title: z.string(),
    genre: z.enum(["novel", "poem", "essay"]).nullable(),
    price: z.number().nullable(),
    pages: z.bigint().nullable(),
    stars: z.int32(),
    margin: z.number(),
    cost: decimal({ precision: 30, scale: 2 }).nullable(),
    soldAt: z.date().nullable(),
    published: z.iso.date().nullable(),
    isDraft: z.boolean(),
    authorId: z.int32(),
    secret: z.string().nullable(),
  },
  internal: ["secret"],
  relations: { author: belongsTo("author", "authorId") },
  access: {
    ...access,
    read: ({ principal }) => (principal === null ? { isDraft: false } : true),
    fields: { margin: { read: isEditor } },
  },
  filterable: ["genre", "price", "authorId", "title", "margin"],
  sortable: ["price"],
  aggregatable: ["price", "pages", "stars", "margin", "cost", "soldAt", "title"],
  groupable: ["genre", "soldAt", "published", "isDraft", "authorId", "margin"],
  page: { size: 3, max: 5 },
});

function bookOf(id: number, genre: string | null, price: number | null, more: Readonly<Record<string, unknown>> = {}) {
  const none = {
    pages: null,
    stars: id,
    margin: 1,
    cost: null,
    soldAt: null,
    published: null,
    isDraft: false,
    authorId: 1,
  };
  return { id, title: `Book ${id}`, genre, price, ...none, ...more, secret: null };
}

export const BOOKS = [
  bookOf(1, "novel", 10, {
    pages: 9007199254740993n,
    soldAt: new Date("2025-12-31T23:30:00Z"),
    published: "2025-01-31",
  }),
  bookOf(2, "novel", 20, {
    pages: 1n,
    soldAt: new Date("2026-01-01T00:30:00Z"),
    published: "2025-01-01",
    margin: 5,
    cost: "0.10",
  }),
  bookOf(3, "poem", 0.5, { soldAt: new Date("2026-01-15T00:30:00Z"), authorId: 2, cost: "10000000000000000000.20" }),
  bookOf(4, "poem", null, { cost: "-0.01" }),
  bookOf(5, "essay", null, { authorId: 2 }),
  bookOf(6, null, 7),
  bookOf(7, "novel", 1_000, { isDraft: true, margin: 100 }),
];

export const AUTHORS = [1, 2, 3].map((id) => ({ id, name: `Author ${id}` }));

/** An API over seven books, of which anonymous callers can read six. */
export function startShop(options: Partial<Parameters<typeof defineApi>[0]> = {}) {
  return defineApi({
    resources: [author, book],
    store: memoryStore({ data: { author: AUTHORS, book: BOOKS } }),
    log: silentLog,
    formats: [csv, hal, htmlPages],
    ...(options as object),
  });
}
