import { readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import type { Edit, Mutant } from "./mutant.ts";

/**
 * Returns the files of a mutant after its edits. Throws if a text doesn't occur exactly once, or if the result
 * doesn't parse.
 */
export function editedFiles(root: string, mutant: Mutant): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const edit of [mutant, ...(mutant.also ?? [])]) {
    const path = join(root, edit.file);
    const changed = edited(files.get(path) ?? readFileSync(path, "utf8"), edit);
    stripTypeScriptTypes(changed);
    files.set(path, changed);
  }
  return files;
}

/** Puts a mutant into a workspace, and returns a function that removes it. */
export function apply(root: string, mutant: Mutant): () => void {
  const files = editedFiles(root, mutant);
  const before = new Map([...files.keys()].map((path) => [path, readFileSync(path)]));
  for (const [path, text] of files) writeFileSync(path, text);
  return () => {
    for (const [path, text] of before) writeFileSync(path, text);
  };
}

function edited(text: string, { file, from, to }: Edit): string {
  const pieces = text.split(from);
  if (pieces.length !== 2) throw new Error(`${file} has this ${pieces.length - 1} times, and not once: ${from}`);
  return pieces.join(to);
}
