import { hash } from "node:crypto";

/** PostgreSQL truncates names at 63 bytes; MySQL rejects more than 64 characters. */
const MAX_LENGTH = 60;

type Suffix = "key" | "idx" | "refs" | "trgm" | "fkey";

/** Returns a name such as `books_author_id_fkey`. A name that is too long ends with a hash instead. */
export function constraintName(table: string, columns: readonly string[], suffix: Suffix): string {
  const name = [table, ...columns, suffix].join("_");
  return Buffer.byteLength(name) <= MAX_LENGTH ? name : withHash(name, name, suffix);
}

/**
 * Returns the names of the unique groups of a table. If two groups have the same plain name, such as `["a", "b"]` and
 * `["a_b"]`, the later one gets a hash.
 */
export function uniqueNames(table: string, groups: readonly (readonly string[])[]): readonly string[] {
  const names = new Set<string>();
  return groups.map((columns) => {
    const [plain, other] = possibleNames(table, columns, "key");
    const name = names.has(plain) ? other : plain;
    names.add(name);
    return name;
  });
}

/** Returns the name that a store gives a constraint, and the name that it uses if the first is taken. */
export function possibleNames(table: string, columns: readonly string[], suffix: Suffix): readonly [string, string] {
  const plain = constraintName(table, columns, suffix);
  return [plain, withHash([table, ...columns].join("_"), JSON.stringify(columns), suffix)];
}

function withHash(name: string, from: string, suffix: Suffix): string {
  const short = hash("sha1", from, "hex").slice(0, 8);
  return `${name.slice(0, MAX_LENGTH - suffix.length - 10)}_${short}_${suffix}`;
}

interface Named {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Returns the name of an index that starts with these columns. For several, the suffix differs from those that databases
 * and applications give their own indexes.
 */
export function indexName(table: string, columns: readonly string[]): string {
  return constraintName(table, columns, columns.length === 1 ? "idx" : "refs");
}

/** Whether a store would give this name to the index. The store ignores other indexes. */
export function isOwnIndex(table: string, { name, columns }: Named): boolean {
  return columns.some((_, at) => name === indexName(table, columns.slice(0, at + 1)));
}

export function isOwnConstraint(table: string, { name, columns }: Named, suffix: "key" | "fkey"): boolean {
  return possibleNames(table, columns, suffix).includes(name);
}
