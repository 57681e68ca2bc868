import { allow, belongsTo, defineResource, hasMany, manyToMany } from "@bifocal/core";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["id", "name"],
  sortable: ["name"],
});
const book = defineResource("book", {
  fields: {
    id: z.int32(),
    authorId: z.int32(),
    title: z.string(),
    status: z.string(),
    price: z.int32(),
    data: z.json(),
  },
  relations: {
    author: belongsTo("author", "authorId", { onDelete: "cascade" }),
    tags: manyToMany("tag", { through: "book_tag", from: "bookId", to: "tagId" }),
  },
  access,
  bulk: { update: 100, delete: 100 },
  filterable: ["id", "authorId", "title", "status", "price"],
  sortable: ["title", "status", "price"],
});
const tag = defineResource("tag", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: manyToMany("book", { through: "book_tag", from: "tagId", to: "bookId" }) },
  access,
  filterable: ["id", "name"],
});

/** The resources of the accepted requests. */
export const RESOURCES = [author, book, tag] as const;

export const AUTHORS = 100;

/** Returns rows by resource: 100 authors, 50 tags, the given number of books, and a tag for every tenth book. */
export function rowsOf(books: number) {
  const status = ["draft", "printed", "sold out"];
  return {
    author: Array.from({ length: AUTHORS }, (_, n) => ({ id: n + 1, name: `Author ${n + 1}` })),
    tag: Array.from({ length: 50 }, (_, n) => ({ id: n + 1, name: `tag ${n + 1}` })),
    book: Array.from({ length: books }, (_, n) => ({
      id: n + 1,
      authorId: (n % AUTHORS) + 1,
      title: `A book of some length, number ${(n * 7_919) % books}`,
      status: status[n % 3] as string,
      price: n % 97,
      data: {},
    })),
    book_tag: Array.from({ length: books / 10 }, (_, n) => ({ bookId: n * 10 + 1, tagId: (n % 50) + 1 })),
  };
}
