import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The root of the workspace. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Test files, and tables of attacks that tests use. */
const FILES = [
  "tests/**/*.test.ts",
  "packages/*/test/**/*.test.ts",
  "packages/*/src/**/*.test.ts",
  "tests/abuse/*.ts",
  "tests/security/limits/trips.ts",
];

/**
 * Ids at the start of a text (`"E05: batches"`, `id: "E02b"`, `"C04, C15: the id '%s'"`), or in parentheses at the end.
 */
const AT_START = /["'`]((?:[A-J](?!00)\d\d[a-z]?(?:, )?)+)(?=["'`: ])/g;
const AT_END = /\(((?:[A-J]\d\d(?:, )?)+)\)["'`]/g;

/** Returns the files whose tests start with each id, as paths from the root of the workspace. */
export function findTests(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of globSync(FILES, { cwd: ROOT }).toSorted()) {
    if (file.includes("node_modules") || file.endsWith("catalogue.test.ts")) continue;
    const text = readFileSync(`${ROOT}${file}`, "utf8");
    const lists = [...text.matchAll(AT_START), ...text.matchAll(AT_END)].map(([, list = ""]) => list);
    for (const id of new Set(lists.flatMap((list) => list.match(/[A-J]\d\d/g) ?? []))) {
      const files = found.get(id) ?? [];
      found.set(id, [...files, file]);
    }
  }
  return found;
}
