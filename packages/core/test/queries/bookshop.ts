import { z } from "zod";
import {
  allow,
  apiKeys,
  belongsTo,
  count,
  defineApi,
  defineResource,
  deny,
  hasMany,
  type Principal,
  signedIn,
} from "../../src/index.ts";
import { csv, htmlPages, jsonApi } from "../../src/formats.ts";
import { countingStore, keepingLog } from "../counting-store.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const isEditor = ({ principal }: { readonly principal: Principal | null }): boolean => principal?.id === "editor";

export const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  computed: { bookCount: count("books") },
  access,
  filterable: ["name"],
  sortable: ["name", "bookCount"],
  queries: { busy: { on: "collection", access: allow, run: () => ({ sort: ["-bookCount"] }) } },
});

export const book = defineResource("book", {
  fields: {
    id: z.int32(),
    title: z.string(),
    genre: z.enum(["novel", "poem"]),
    year: z.int32(),
    price: z.number(),
    sales: z.int32().nullable(),
    margin: z.number(),
    isDraft: z.boolean(),
    authorId: z.int32(),
  },
  internal: ["sales"],
  relations: { author: belongsTo("author", "authorId") },
  // Drafts are hidden from anonymous callers, and margins from everyone but editors.
  access: {
    ...access,
    read: ({ principal }) => (principal === null ? { isDraft: false } : true),
    fields: { margin: { read: isEditor } },
  },
  filterable: ["title", "genre", "price"],
  sortable: ["title", "price"],
  search: ["title"],
  page: { size: 2, max: 5 },
  cache: { public: true, maxAge: 60 },
  queries: {
    trending: {
      on: "collection",
      description: "The best-selling books since a year.",
      input: z.object({
        year: z.int32().min(1900),
        genres: z.array(z.enum(["novel", "poem"])).optional(),
        range: z.object({ least: z.number(), exact: z.boolean().default(false) }).optional(),
      }),
      access: allow,
      run: ({ input: { year, genres, range } }) => ({
        filter: {
          year: { gte: year },
          sales: { gte: 10 },
          ...(genres === undefined ? {} : { genre: { in: genres } }),
          ...(range === undefined ? {} : { price: range.exact ? { eq: range.least } : { gte: range.least } }),
        },
        sort: ["-year", "title"],
      }),
    },
    newest: { on: "collection", access: allow, run: () => ({ sort: ["-year"] }) },
    mine: {
      on: "collection",
      access: signedIn,
      run: async ({ principal, locals }) => {
        const { items } = await locals(author).list({ filter: { name: { eq: String(principal?.id) } } });
        return { filter: { authorId: { in: items.map(({ id }) => id) } } };
      },
    },
    cheap: { on: "collection", access: () => ({ price: { lt: 10 } }), run: () => ({}) },
    profitable: { on: "collection", access: allow, run: () => ({ sort: ["-margin"] }) },
    ofLongName: { on: "collection", access: allow, run: () => ({ filter: { author: { name: { eq: "Bo" } } } }) },
    similar: {
      on: "item",
      access: allow,
      run: ({ item }) => ({ filter: { genre: { eq: item.genre }, id: { ne: item.id } } }),
    },
    sameGenre: {
      on: "item",
      access: ({ principal }) => (principal === null ? { genre: "novel" as const } : true),
      run: ({ item }) => ({ filter: { genre: { eq: item.genre } } }),
    },
    summary: {
      on: "item",
      input: z.object({ words: z.int32().optional() }),
      output: z.object({ text: z.string(), year: z.int32() }),
      access: allow,
      run: ({ item, input }) => ({ text: item.title.split(" ").slice(0, input.words).join(" "), year: item.year }),
    },
    stats: {
      on: "collection",
      output: z.object({ books: z.int32() }),
      access: allow,
      run: async ({ store }) => ({ books: (await store.list()).length }),
    },
    whoAmI: {
      on: "collection",
      output: z.string().nullable(),
      access: allow,
      run: ({ principal }) => principal?.id ?? null,
    },
    editors: { on: "collection", output: z.int(), access: () => ({ price: { lt: 10 } }), run: () => 1 },
    never: { on: "collection", access: deny, run: () => ({}) },
    broken: {
      on: "collection",
      input: z.object({ how: z.string() }),
      access: allow,
      run: async ({ input, ...context }) => {
        if (input.how === "filter") return { filter: { price: { lt: undefined as never } } };
        if (input.how === "member") return { where: {} } as object;
        if (input.how === "list") return [] as never;
        if (input.how === "sort") return { sort: ["nothing" as never] };
        const calls =
          input.how === "store" ? context.store : input.how === "stores" ? context.stores(author) : context.local;
        await (calls as unknown as { create(data: object): Promise<unknown> }).create({});
        return {};
      },
    },
  },
});

const title = ["Emma", "Persuasion", "Ulysses", "Dubliners", "Poems", "Odes"];

export const BOOKS = title.map((name, index) => ({
  id: index + 1,
  title: name,
  genre: index < 4 ? "novel" : "poem",
  year: 2020 + index,
  price: 5 * (index + 1),
  sales: index === 1 ? 1 : 10 * (index + 1),
  margin: 100 - index,
  isDraft: index === 5,
  authorId: index < 3 ? 1 : 2,
}));

/** An API over six books, of which anonymous callers can read five. */
export function startBookshop() {
  const { store, calls } = countingStore({
    data: {
      author: [
        { id: 1, name: "ann" },
        { id: 2, name: "Bo" },
      ],
      book: BOOKS,
    },
  });
  const { entries, log } = keepingLog();
  const api = defineApi({
    resources: [author, book],
    store,
    log,
    formats: [csv, jsonApi, htmlPages],
    auth: apiKeys({ ann: { id: "ann" }, editor: { id: "editor" } }),
  });
  return { api, calls, entries };
}
