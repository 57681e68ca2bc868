import { z } from "zod";
import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  memoryStore,
  signedIn,
  type Store,
} from "../../../packages/core/src/index.ts";

const access = { read: allow, create: signedIn, update: signedIn, delete: signedIn };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), email: z.email() },
  relations: { books: hasMany("book", "authorId") },
  access: { ...access, fields: { email: { read: signedIn } } },
  filterable: ["name"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string().min(1), authorId: z.int32(), soldOn: z.iso.date() },
  relations: { author: belongsTo("author", "authorId"), reviews: hasMany("review", "bookId") },
  access,
  filterable: ["title"],
  sortable: ["title"],
});
const review = defineResource("review", {
  fields: { id: z.int32(), stars: z.int32(), bookId: z.int32() },
  relations: { book: belongsTo("book", "bookId") },
  access,
  filterable: ["stars"],
});

const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index + 1);

/** Creates an API with three levels of rows, and records the calls of its store. */
export function createLibrary({ globalIds = false, incremental = false } = {}) {
  const store = memoryStore({
    data: {
      author: range(5).map((id) => ({ id, name: `Author ${id}`, email: `a${id}@example.com` })),
      book: range(20).map((id) => ({ id, title: `Book ${id}`, authorId: (id % 5) + 1, soldOn: "2026-01-31" })),
      review: range(60).map((id) => ({ id, stars: id % 5, bookId: (id % 20) + 1 })),
    },
  });
  const calls: string[] = [];
  const counting: Store = {
    ...store,
    byKeys: (query, context) => (calls.push(`${query.resource.name}.byKeys`), store.byKeys(query, context)),
    list: (query, context) => (calls.push(`${query.resource.name}.list`), store.list(query, context)),
    listPer: (query, context) => (calls.push(`${query.resource.name}.listPer`), store.listPer(query, context)),
  };
  const api = defineApi({
    resources: [author, book, review],
    store: counting,
    introspection: true,
    rateLimit: false,
    graphql: {
      globalIds,
      incremental,
      extend: {
        typeDefs:
          "extend type Book { slug: String! } extend type Author { best: Book } extend type Query { me: String }",
        resolvers: { Query: { me: (_source, _args, { principal }) => principal?.id } },
        fields: {
          book: { slug: { needs: ["title"], resolve: ({ title = "" }) => title.replace(" ", "-") } },
          author: { best: ({ id = 0 }) => id + 4 },
        },
      },
    },
  });
  return { api, calls };
}

/** The header `x-user` is enough to authenticate a caller here. */
export function contextOf(api: ReturnType<typeof createLibrary>["api"], user: string | string[] | null | undefined) {
  return api.graphql.context(typeof user === "string" ? { id: user } : null);
}
