import {
  allow,
  apiKeys,
  asSystem,
  avg,
  belongsTo,
  computed,
  count,
  decimal,
  defineApi,
  defineResource,
  deny,
  hasMany,
  hasRole,
  manyToMany,
  max,
  memoryStore,
  min,
  type Principal,
  signedIn,
  silentLog,
  type Store,
  sum,
} from "@bifocal/core";
import { z } from "zod";

const staff = hasRole("editor", "admin");

const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string(), email: z.email(), born: z.int32().nullable() },
  relations: { books: hasMany("book", "authorId") },
  computed: {
    initial: computed(z.string(), { from: ["name"], get: ({ name }) => name.slice(0, 1) }),
    // Inherits the read rule of `email`.
    domain: computed(z.string(), {
      from: ["email"],
      load: async (authors) => Promise.resolve(authors.map(({ email }) => email.replace(/.*@/, ""))),
    }),
    bookCount: count("books"),
    dearest: max("books", "price"),
  },
  access: { read: allow, create: staff, update: staff, delete: deny, fields: { email: { read: signedIn } } },
  search: ["name", "email"],
  filterable: ["id", "name", "email", "born", "bookCount", "dearest"],
  sortable: ["name", "email", "born", "bookCount", "dearest"],
  aggregatable: ["name", "email", "born"],
  groupable: ["name", "born"],
});

const book = defineResource("book", {
  fields: {
    id: z.uuid(),
    title: z.string(),
    authorId: z.uuid(),
    price: z.number(),
    genre: z.enum(["novel", "poem", "essay"]),
    publishedAt: z.iso.date().nullable(),
    isbn: z.string().nullable(),
  },
  unique: ["isbn"],
  relations: {
    copies: hasMany("copy", "isbn", { references: "isbn" }),
    author: belongsTo("author", "authorId"),
    reviews: hasMany("review", "bookId"),
    memos: hasMany("memo", "bookId"),
    tags: manyToMany("tag"),
  },
  computed: {
    reviewCount: count("reviews"),
    goodReviews: count("reviews", { stars: { gte: 4 } }),
    stars: avg("reviews", "stars"),
    isCheap: computed(z.boolean(), { from: ["price"], get: ({ price }) => price < 5 }),
  },
  access: {
    // Only staff can see unpublished books.
    read: ({ principal }) => (staff({ principal }) ? true : { publishedAt: { isNull: false } }),
    create: staff,
    update: staff,
    delete: hasRole("admin"),
  },
  search: ["title", "author.name", "author.email"],
  queries: {
    since: {
      on: "collection",
      input: z.object({ year: z.int32(), genres: z.array(z.enum(["novel", "poem", "essay"])).optional() }),
      access: ({ principal }) => (principal === null ? { price: { gt: 1 } } : true),
      run: ({ input: { year, genres } }) => ({
        filter: { publishedAt: { gte: `${year}-01-01` }, ...(genres === undefined ? {} : { genre: { in: genres } }) },
        sort: ["-publishedAt", "author.name"],
      }),
    },
    alike: {
      on: "item",
      access: allow,
      run: ({ item }) => ({
        filter: { genre: { eq: item.genre }, author: { id: { ne: item.authorId } } },
        sort: ["title"],
      }),
    },
  },
  filterable: ["id", "title", "price", "genre", "publishedAt", "goodReviews"],
  sortable: ["title", "price", "publishedAt", "goodReviews"],
  aggregatable: ["title", "price", "publishedAt"],
  groupable: ["author.name", "author.born", "genre", "authorId", "publishedAt"],
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
  aggregatable: ["stars", "text"],
  groupable: ["stars", "bookId", "text", "book.genre", "book.publishedAt"],
});

const memo = defineResource("memo", {
  fields: { id: z.uuid(), bookId: z.uuid(), text: z.string() },
  access: { read: hasRole("admin"), create: deny, update: deny, delete: deny },
  filterable: ["text"],
});

/** A place with a key of two fields. Its copies reference it with both. */
const shelf = defineResource("shelf", {
  plural: "shelves",
  key: ["room", "slot"],
  fields: { room: z.string(), slot: z.int32(), label: z.string(), locked: z.boolean() },
  relations: { copies: hasMany("copy", ["room", "slot"]), tags: manyToMany("tag") },
  access: {
    read: ({ principal }) => (staff({ principal }) ? true : { locked: { eq: false } }),
    create: staff,
    update: staff,
    delete: deny,
  },
  filterable: ["room", "slot", "label"],
  sortable: ["slot", "label"],
});

const copy = defineResource("copy", {
  fields: { id: z.uuid(), isbn: z.string().nullable(), room: z.string(), slot: z.int32().nullable() },
  relations: {
    book: belongsTo("book", "isbn", { references: "isbn" }),
    shelf: belongsTo("shelf", ["room", "slot"]),
  },
  access: { read: allow, create: staff, update: staff, delete: deny },
  filterable: ["room", "slot", "isbn"],
  sortable: ["slot", "isbn"],
});

const tag = defineResource("tag", {
  fields: { id: z.uuid(), name: z.string() },
  relations: { books: manyToMany("book"), shelves: manyToMany("shelf") },
  access: { read: allow, create: staff, update: staff, delete: deny },
  filterable: ["name"],
  sortable: ["name"],
});

const amounts = ["revenue", "average", "least", "largest"] as const;
/** A till whose sales have decimals. */
const till = defineResource("till", {
  fields: { id: z.uuid(), name: z.string() },
  relations: { sales: hasMany("sale", "tillId") },
  computed: {
    revenue: sum("sales", "amount"),
    average: avg("sales", "amount"),
    least: min("sales", "amount"),
    largest: max("sales", "amount"),
  },
  access: { read: allow, create: staff, update: staff, delete: deny },
  filterable: ["name", ...amounts],
  sortable: ["name", ...amounts],
});

const sale = defineResource("sale", {
  fields: {
    id: z.uuid(),
    tillId: z.uuid(),
    amount: decimal({ precision: 18, scale: 2 }),
    fee: decimal({ precision: 6, scale: 3 }).nullable(),
  },
  relations: { till: belongsTo("till", "tillId") },
  access: { read: allow, create: staff, update: staff, delete: deny, fields: { fee: { read: signedIn } } },
  filterable: ["amount", "fee"],
  sortable: ["amount", "fee"],
  aggregatable: ["amount", "fee"],
  groupable: ["amount", "tillId", "till.name"],
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
  /** Adds tills and their sales. */
  readonly sales?: boolean;
}

/** A small library with gaps: unpublished books, hidden reviews, authors without books, missing values. */
export function createLibrary({ incremental = false, store, sales = false }: LibraryOptions = {}) {
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
      isbn: n % 5 === 0 ? null : `isbn ${n}`,
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
    shelf: range(8).map((n) => ({
      room: "ab,%"[n % 4] as string,
      slot: n,
      label: `label ${n % 3}`,
      locked: n % 4 === 1,
    })),
    copy: range(30).map((n) => ({
      id: idOf(6, n),
      isbn: n % 7 === 0 || (n % 24) % 5 === 0 ? null : `isbn ${n % 24}`,
      room: "ab,%"[n % 4] as string,
      slot: n % 6 === 0 ? null : n % 8,
    })),
    shelf_tag: range(12).map((n) => ({
      shelfRoom: "ab,%"[n % 4] as string,
      shelfSlot: n % 8,
      tagId: idOf(5, Math.floor(n / 5)),
    })),
    till: range(4).map((n) => ({ id: idOf(7, n), name: ["Left", "Right", "Up", "Left"][n] as string })),
    sale: range(24).map((n) => ({
      id: idOf(8, n),
      tillId: idOf(7, n % 3),
      // Doubles don't represent every sixth amount.
      amount: n % 6 === 5 ? `90071992547409${70 + n}.01` : (((n * 7) % 11) * 1.35 - 3).toFixed(2),
      fee: n % 4 === 1 ? null : ((n % 7) * 0.105).toFixed(3),
    })),
    book_tag: range(30).map((n) => ({ bookId: idOf(2, (n * 11) % 24), tagId: idOf(5, Math.floor(n / 8) % 3) })),
  };
  const { till: _till, sale: _sale, ...withoutSales } = data;
  const api = defineApi({
    resources: [author, book, review, memo, shelf, copy, tag, ...(sales ? [till, sale] : [])],
    store: store ?? memoryStore({ data: sales ? data : withoutSales }),
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
    for (const row of data.shelf) await system.shelf.create(row);
    for (const row of data.copy) await system.copy.create(row);
    if (sales) {
      for (const row of data.till) await system.till.create(row);
      for (const row of data.sale) await system.sale.create(row);
    }
    for (const { shelfRoom: room, shelfSlot: slot, tagId } of data.shelf_tag)
      await system.shelf.link({ room, slot }, "tags", tagId);
    for (const { bookId, tagId } of data.book_tag) await system.book.link(bookId, "tags", tagId);
  }
  return { api, data, fill };
}
