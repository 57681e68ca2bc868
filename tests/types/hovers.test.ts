import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { COMPILER_OPTIONS } from "./compiler-options.ts";

const file = fileURLToPath(new URL("hovers.ts", import.meta.url));
const text = readFileSync(file, "utf8");
const service = ts.createLanguageService({
  getScriptFileNames: () => [file],
  getScriptVersion: () => "1",
  getScriptSnapshot(name) {
    const found = ts.sys.readFile(name);
    return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
  },
  getCompilationSettings: () => COMPILER_OPTIONS,
  getCurrentDirectory: () => ts.sys.getCurrentDirectory(),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => ts.sys.fileExists(name),
  readFile: (name) => ts.sys.readFile(name),
});

/** Returns the hover at the `|` as an editor shows it, on one line. */
function hover(place: string): string {
  const [before = "", after = ""] = place.split("|");
  const at = text.indexOf(before + after);
  if (at < 0) throw new Error(`${before + after} is not in hovers.ts.`);
  const info = service.getQuickInfoAtPosition(file, at + before.length);
  return ts.displayPartsToString(info?.displayParts).replaceAll(/\s+/g, " ");
}

/** Sorts the members of each object type, whose order is up to the compiler. */
function sortMembers(type: string): string {
  const sorted = type.replaceAll(
    /\{ ([^{}]*); \}/g,
    (_, members: string) => `(${members.split("; ").toSorted().join("; ")})`,
  );
  return sorted === type ? type : sortMembers(sorted);
}

const BOOK = "{ id: string; title: string; price: number | null; authorId: string; }";

test.each([
  ["a row", "const |found", `const found: ${BOOK} | null`],
  ["a created row", "const |created", `const created: ${BOOK}`],
  ["a page with relations", "const |listed", `const listed: LocalPage<{ name: string; books: ${BOOK}[]; }>`],
  ["the context of a rule", "(|context)", "(parameter) context: RuleContext"],
  [
    "the context of an action",
    "(|call)",
    `(parameter) call: ActionContext<${BOOK}, string, { percent: number; }, ${BOOK}>`,
  ],
])("a hover over %s shows fields and no internal types", { timeout: 60_000 }, (_, place, shown) => {
  expect(sortMembers(hover(place))).toBe(sortMembers(shown));
});
