import { hash } from "node:crypto";

/** PostgreSQL cuts names at 63 bytes, MySQL refuses more than 64 characters. */
const MOST = 60;

type Suffix = "key" | "idx" | "fkey";

/** `books_author_id_fkey`; one that is too long ends with what tells it from others. */
export function constraintName(table: string, columns: readonly string[], suffix: Suffix): string {
  const name = [table, ...columns, suffix].join("_");
  return Buffer.byteLength(name) <= MOST ? name : withHash(name, name, suffix);
}

/** Names of the unique groups of a table. What an earlier one is called, as `["a", "b"]` before `["a_b"]`, no other is. */
export function uniqueNames(table: string, groups: readonly (readonly string[])[]): readonly string[] {
  const names = new Set<string>();
  return groups.map((columns) => {
    const [plain, other] = possibleNames(table, columns, "key");
    const name = names.has(plain) ? other : plain;
    names.add(name);
    return name;
  });
}

/** What a store calls a constraint, and what it calls it where another has that name. */
export function possibleNames(table: string, columns: readonly string[], suffix: Suffix): readonly [string, string] {
  const plain = constraintName(table, columns, suffix);
  return [plain, withHash([table, ...columns].join("_"), JSON.stringify(columns), suffix)];
}

function withHash(name: string, from: string, suffix: Suffix): string {
  const short = hash("sha1", from, "hex").slice(0, 8);
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
  return possibleNames(table, columns, suffix).includes(name);
}
