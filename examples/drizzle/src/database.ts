import { drizzle } from "drizzle-orm/sqlite-proxy";
import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

export const authors = sqliteTable("authors", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
});

export const books = sqliteTable("books", {
  id: integer("id").primaryKey(),
  title: text("title").notNull(),
  authorId: integer("author_id")
    .notNull()
    .references(() => authors.id),
  price: real("price"),
});

export type Database = ReturnType<typeof openDatabase>["db"];

/** Opens Drizzle over Node's own SQLite, with two tables. Calls `heard` with every executed statement. */
export function openDatabase(file: string, heard: (text: string) => void = () => {}) {
  const sqlite = new DatabaseSync(file);
  sqlite.exec(`
    create table if not exists authors (id integer primary key, name text not null);
    create table if not exists books (
      id integer primary key, title text not null, author_id integer not null references authors (id), price real);
  `);
  const db = drizzle(async (query, parameters: SQLInputValue[], method) => {
    heard(query);
    const statement = sqlite.prepare(query);
    if (method === "run") {
      statement.run(...parameters);
      return { rows: [] };
    }
    statement.setReturnArrays(true);
    if (method === "get") return { rows: statement.get(...parameters) as unknown as unknown[] };
    return { rows: statement.all(...parameters) as unknown as unknown[][] };
  });
  return { db, close: () => sqlite.close() };
}
