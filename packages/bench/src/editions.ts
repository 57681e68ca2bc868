import { randomUUID } from "node:crypto";
import { authorById } from "./by-hand.ts";
import { authors } from "./rows.ts";

/** The fields of an edition that a client writes. With the id, a row has eight. */
export interface EditionInput {
  readonly title: string;
  readonly authorId: string;
  readonly year: number;
  readonly price: number;
  readonly inStock: boolean;
  readonly isbn: string;
  readonly tags: readonly string[];
}

export interface EditionRow extends EditionInput {
  readonly id: string;
}

export const ISBN = /^97[89]\d{10}$/;
export const MAX_TITLE = 200;
export const MAX_TAGS = 10;
export const MAX_TAG = 40;

/** The edition that every contender creates. */
export const EDITION: EditionInput = {
  title: "An edition of some length, to be written",
  authorId: authors[7]?.id as string,
  year: 2026,
  price: 12.5,
  inStock: true,
  isbn: "9780141439518",
  tags: ["novel", "paperback", "signed by the author"],
};

/** Changes of an edition that every contender rejects. */
export const REFUSED: readonly Readonly<Record<string, unknown>>[] = [
  { title: "" },
  { title: "x".repeat(MAX_TITLE + 1) },
  { authorId: "00000000-0000-4000-8000-000000000000" },
  { year: 2026.5 },
  { price: -1 },
  { inStock: "maybe" },
  { isbn: "12" },
  { tags: [""] },
  { tags: Array.from({ length: MAX_TAGS + 1 }, (_, n) => `tag ${n}`) },
  { unknown: 1 },
];

/** Checks what the types of a GraphQL schema leave unchecked. Returns what is wrong, if anything. */
export function problemOf({ title, authorId, price, isbn, tags }: EditionInput): string | undefined {
  if (title.length < 1 || title.length > MAX_TITLE) return `title is 1 to ${MAX_TITLE} characters.`;
  if (price < 0) return "price is at least 0.";
  if (!ISBN.test(isbn)) return "isbn is 13 digits.";
  if (tags.length > MAX_TAGS) return `tags has at most ${MAX_TAGS} items.`;
  for (const tag of tags) if (tag.length < 1 || tag.length > MAX_TAG) return `A tag is 1 to ${MAX_TAG} characters.`;
  if (!authorById.has(authorId)) return "There is no such author.";
  return undefined;
}

const MEMBERS = new Set(Object.keys(EDITION));

/** Checks parsed JSON as far as a schema would. */
export function isEditionInput(value: unknown): value is EditionInput {
  if (typeof value !== "object" || value === null) return false;
  for (const name in value) if (!MEMBERS.has(name)) return false;
  const { title, authorId, year, price, inStock, isbn, tags } = value as Record<keyof EditionInput, unknown>;
  return (
    typeof title === "string" &&
    typeof authorId === "string" &&
    Number.isInteger(year) &&
    typeof price === "number" &&
    typeof inStock === "boolean" &&
    typeof isbn === "string" &&
    Array.isArray(tags) &&
    tags.every((tag) => typeof tag === "string") &&
    problemOf(value as EditionInput) === undefined
  );
}

/** An edition with the number of its writes, which is its ETag. */
interface KeptEdition {
  readonly row: EditionRow;
  readonly version: number;
}

export const editions = new Map<string, KeptEdition>();

export function addEdition({ title, authorId, year, price, inStock, isbn, tags }: EditionInput): EditionRow {
  const row = { id: randomUUID(), title, authorId, year, price, inStock, isbn, tags };
  editions.set(row.id, { row, version: 1 });
  return row;
}

export function etagOf(version: number): string {
  return `"${version}"`;
}
