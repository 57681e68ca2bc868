import type { memoryStore } from "@bifocal/core";

/** Rows by resource, and links by link table. */
export type Seed = NonNullable<NonNullable<Parameters<typeof memoryStore>[0]>["data"]>;

const LETTERS = { author: "a", book: "b", review: "c", sale: "d" } as const;

/** Creates ids that are easy to type: `b0000000-0000-4000-8000-000000000007` is book 7. */
export function seedId(kind: keyof typeof LETTERS, number: number): string {
  return `${LETTERS[kind]}0000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}
