import { z } from "zod";
import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  type LimitOptions,
  signedIn,
} from "../../../src/index.ts";
import { countingStore } from "../../counting-store.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), email: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access: { ...access, fields: { email: { read: signedIn } } },
  filterable: ["name"],
  sortable: ["name"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), price: z.number(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId"), reviews: hasMany("review", "bookId") },
  access,
  filterable: ["title"],
  sortable: ["title"],
});
const review = defineResource("review", {
  fields: { id: z.int32(), bookId: z.int32(), stars: z.int32() },
  relations: { book: belongsTo("book", "bookId") },
  access: { ...access, read: () => ({ stars: { gt: 0 } }) },
  filterable: ["stars"],
  sortable: ["stars"],
});

const range = (length: number): number[] => Array.from({ length }, (_, n) => n + 1);

/** Authors, books and reviews over a store that records its calls. */
export function library({ limits = {}, cost = false }: { limits?: LimitOptions; cost?: boolean } = {}) {
  const { store, calls } = countingStore({
    data: {
      author: range(4).map((id) => ({ id, name: `Author ${id}`, email: `${id}@example.com` })),
      book: range(20).map((id) => ({ id, title: `Book ${id}`, price: id / 2, authorId: (id % 4) + 1 })),
      review: range(60).map((id) => ({ id, bookId: (id % 20) + 1, stars: id % 6 })),
    },
  });
  const api = defineApi({ resources: [author, book, review], store, limits, graphql: { incremental: true, cost } });
  return { api, calls, store };
}
