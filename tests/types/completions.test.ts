import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { COMPILER_OPTIONS } from "./compiler-options.ts";

const file = fileURLToPath(new URL("mistakes.ts", import.meta.url));
const base = readFileSync(file, "utf8");

/** The completions that an editor offers at the `|` of a line at the end of the file. */
function complete(line: string): readonly string[] {
  const at = base.length + line.indexOf("|");
  const text = base + line.replace("|", "");
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot(name) {
      const found = name === file ? text : ts.sys.readFile(name);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCompilationSettings: () => COMPILER_OPTIONS,
    getCurrentDirectory: () => ts.sys.getCurrentDirectory(),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => ts.sys.fileExists(name),
    readFile: (name) => ts.sys.readFile(name),
  });
  const found = service.getCompletionsAtPosition(file, at, {});
  return found?.isMemberCompletion === true ? found.entries.map(({ name }) => name).toSorted() : [];
}

test.each([
  ["await api.local.book.list({ select: { | } });", ["author", "authorId", "id", "price", "title"]],
  ["await api.local.book.list({ select: { author: { select: { | } } } });", ["books", "id", "name"]],
])("%s offers fields and relations", { timeout: 60_000 }, (line, names) => {
  expect(complete(line)).toEqual(names);
});
