import { randomUUID } from "node:crypto";
import { type AuthorRow, authors, type BookRow, books, type ReviewRow, reviews } from "./rows.ts";

/** The data structures of a hand-written server: maps by key, and the rows in key order. */
export const byId: ReadonlyMap<string, BookRow> = new Map(books.map((row) => [row.id, row]));
export const authorById: ReadonlyMap<string, AuthorRow> = new Map(authors.map((row) => [row.id, row]));

function group<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const found = groups.get(key);
    if (found === undefined) groups.set(key, [row]);
    else found.push(row);
  }
  return groups;
}

const booksByAuthor = group(books, ({ authorId }) => authorId);
const reviewsByBook = group(reviews, ({ bookId }) => bookId);

export function booksOf(authorId: string): readonly BookRow[] {
  return booksByAuthor.get(authorId) ?? [];
}

export function reviewsOf(bookId: string): readonly ReviewRow[] {
  return reviewsByBook.get(bookId) ?? [];
}

export function firstAuthors(size: number): AuthorRow[] {
  return authors.slice(0, size);
}

export function firstPage(size: number): BookRow[] {
  return books.slice(0, size);
}

export interface NoteInput {
  readonly title: string;
  readonly year: number;
  readonly price: number;
}

export const notes = new Map<string, NoteInput & { readonly id: string }>();

export function addNote({ title, year, price }: NoteInput): NoteInput & { readonly id: string } {
  const note = { id: randomUUID(), title, year, price };
  notes.set(note.id, note);
  return note;
}
