import {
  allow,
  apiKeys,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  deny,
  hasMany,
  hasRole,
  manyToMany,
  memoryStore,
  type Principal,
  signedIn,
  silentLog,
  type Store,
} from "@bifocal/core";
import { z } from "zod";

const staff = hasRole("editor", "admin");

const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string(), email: z.email(), born: z.int32().nullable() },
  relations: { books: hasMany("book", "authorId") },
  access: { read: allow, create: staff, update: staff, delete: deny, fields: { email: { read: signedIn } } },
  filterable: ["id", "name", "email", "born"],
  sortable: ["name", "email", "born"],
});

const book = defineResource("book", {
  fields: {
    id: z.uuid(),
    title: z.string(),
    authorId: z.uuid(),
    price: z.number(),
    genre: z.enum(["novel", "poem", "essay"]),
    publishedAt: z.iso.date().nullable(),
  },
  relations: {
    author: belongsTo("author", "authorId"),
    reviews: hasMany("review", "bookId"),
    memos: hasMany("memo", "bookId"),
    tags: manyToMany("tag"),
  },
  access: {
    // Only staff can see unpublished books.
    read: ({ principal }) => (staff({ principal }) ? true : { publishedAt: { isNull: false } }),
    create: staff,
    update: staff,
    delete: hasRole("admin"),
  },
  filterable: ["id", "title", "price", "genre", "publishedAt"],
  sortable: ["title", "price", "publishedAt"],
});

const review = defineResource("review", {
  fields: { id: z.uuid(), bookId: z.uuid(), stars: z.int32(), text: z.string().nullable(), hidden: z.boolean() },
  relations: { book: belongsTo("book", "bookId") },
  access: {
    read: ({ principal }) => (principal?.roles?.includes("admin") ? true : { hidden: { eq: false } }),
    create: signedIn,
    update: deny,
    delete: deny,
  },
  filterable: ["stars", "text"],
  sortable: ["stars"],
});

const memo = defineResource("memo", {
  fields: { id: z.uuid(), bookId: z.uuid(), text: z.string() },
  access: { read: hasRole("admin"), create: deny, update: deny, delete: deny },
  filterable: ["text"],
});

const tag = defineResource("tag", {
  fields: { id: z.uuid(), name: z.string() },
  relations: { books: manyToMany("book") },
  access: { read: allow, create: staff, update: staff, delete: deny },
  filterable: ["name"],
  sortable: ["name"],
});

export function idOf(kind: number, n: number): string {
  return `00000000-0000-4000-8000-${String(kind).padStart(2, "0")}${String(n).padStart(10, "0")}`;
}

export const CALLERS: readonly { readonly name: string; readonly principal: Principal | null }[] = [
  { name: "anonymous", principal: null },
  { name: "reader", principal: { id: "r", roles: ["reader"] } },
  { name: "editor", principal: { id: "e", roles: ["editor"] } },
  { name: "admin", principal: { id: "a", roles: ["admin"] } },
];

interface LibraryOptions {
  readonly incremental?: boolean;
  /** An empty store, for `fill`. Default: a memory store with the rows. */
  readonly store?: Store;
}

/** A small library with gaps: unpublished books, hidden reviews, authors without books, missing values. */
export function createLibrary({ incremental = false, store }: LibraryOptions = {}) {
  const range = (length: number) => Array.from({ length }, (_, n) => n);
  const data = {
    author: range(6).map((n) => ({
      id: idOf(1, n),
      name: ["Ann", "ben", "Cy", "Dee", "Élise", "Ann"][n] as string,
      email: `a${n}@example.org`,
      born: n % 3 === 0 ? null : 1900 + n,
    })),
    book: range(24).map((n) => ({
      id: idOf(2, n),
      title: `${["Emma", "Zoo", "ash", "Übung"][n % 4]} ${n % 5}`,
      authorId: idOf(1, (n * 7) % 5),
      price: (n % 6) * 2.5,
      genre: ["novel", "poem", "essay"][n % 3] as string,
      publishedAt: n % 4 === 1 ? null : `20${10 + (n % 9)}-0${1 + (n % 9)}-01`,
    })),
    review: range(60).map((n) => ({
      id: idOf(3, n),
      bookId: idOf(2, (n * 5) % 20),
      stars: 1 + (n % 5),
      text: n % 4 === 0 ? null : `text ${n % 7}`,
      hidden: n % 6 === 0,
    })),
    memo: range(5).map((n) => ({ id: idOf(4, n), bookId: idOf(2, n), text: `memo ${n}` })),
    tag: range(4).map((n) => ({ id: idOf(5, n), name: `tag ${n}` })),
    book_tag: range(30).map((n) => ({ bookId: idOf(2, (n * 11) % 24), tagId: idOf(5, Math.floor(n / 8) % 3) })),
  };
  const api = defineApi({
    resources: [author, book, review, memo, tag],
    store: store ?? memoryStore({ data }),
    log: silentLog,
    graphql: { incremental },
    // Large documents are generated here. Limits have their own tests.
    limits: {
      graphql: {
        aliases: 5_000,
        directives: 5_000,
        rootFields: 5_000,
        incrementalParts: 5_000,
        tokens: 1e9,
        documentLength: 1e9,
        fieldPairs: 1e9,
        fields: 1e9,
        documentErrors: 10,
        resultErrors: 1e6,
      },
      query: { cost: 1e9 },
    },
    auth: apiKeys(
      Object.fromEntries(CALLERS.flatMap(({ principal }) => (principal === null ? [] : [[principal.id, principal]]))),
    ),
  });
  /** Inserts the rows into an empty store. */
  async function fill(): Promise<void> {
    const system = api.as(asSystem("the rows of the library"));
    for (const row of data.author) await system.author.create(row);
    for (const row of data.book) await system.book.create(row as Parameters<typeof system.book.create>[0]);
    for (const row of data.review) await system.review.create(row);
    for (const row of data.memo) await system.memo.create(row);
    for (const row of data.tag) await system.tag.create(row);
    for (const { bookId, tagId } of data.book_tag) await system.book.link(bookId, "tags", tagId);
  }
  return { api, data, fill };
}
