import { hash } from "node:crypto";

/** PostgreSQL cuts names at 63 bytes, MySQL refuses more than 64 characters. */
const MOST = 60;

/** `books_author_id_fkey`; one that is too long ends with what tells it from others. */
export function constraintName(table: string, columns: readonly string[], suffix: "key" | "idx" | "fkey"): string {
  const name = [table, ...columns, suffix].join("_");
  if (Buffer.byteLength(name) <= MOST) return name;
  const short = hash("sha1", name, "hex").slice(0, 8);
  return `${name.slice(0, MOST - suffix.length - 10)}_${short}_${suffix}`;
}

interface Named {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Whether a store made an index, or would have called it so; others are nobody's business. */
export function isOwnIndex(table: string, { name, columns }: Named): boolean {
  return name === constraintName(table, columns.slice(0, 1), "idx");
}

export function isOwnConstraint(table: string, { name, columns }: Named, suffix: "key" | "fkey"): boolean {
  return name === constraintName(table, columns, suffix);
}
