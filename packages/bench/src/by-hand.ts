import { randomUUID } from "node:crypto";
import { type AuthorRow, authors, type BookRow, books } from "./rows.ts";

/** What a developer keeps in memory by hand: maps by key, and the rows in key order. */
export const byId: ReadonlyMap<string, BookRow> = new Map(books.map((row) => [row.id, row]));
export const authorById: ReadonlyMap<string, AuthorRow> = new Map(authors.map((row) => [row.id, row]));

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
