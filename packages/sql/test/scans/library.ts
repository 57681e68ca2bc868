import { DatabaseSync } from "node:sqlite";
import { allow, belongsTo, defineApi, defineResource, hasMany, silentLog, type Store } from "@bifocal/core";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["name"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access,
  filterable: ["title"],
});

export function createLibrary(store: Store, timeout = 10_000) {
  return defineApi({
    resources: [author, book],
    store,
    limits: { query: { timeout, filterScans: 100, cost: 1_000_000 } },
    log: silentLog,
  });
}

/** Fills the store's tables with 100 authors, and books whose titles are `length` times as long. */
export function fillLibrary(file: string, books: number, length = 1): void {
  const db = new DatabaseSync(file);
  db.exec(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
      insert into authors (id, name) select i, 'Author ' || i from n;
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${books})
      insert into books (id, title, author_id)
      select i, replace(hex(zeroblob(${length})), '00', 'Book number ' || i || ' '), i % 100 + 1 from n;
  `);
  db.close();
}

/** Conditions that match no book, joined by `or`. */
export function unmet(count: number, word = "q") {
  return { or: Array.from({ length: count }, (_, at) => ({ title: { icontains: `${word}${at}` } })) };
}
