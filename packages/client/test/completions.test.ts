import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { CHECK_OPTIONS, clientText, RESOURCES, serverText } from "./generated-app.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
/** Share of the type instantiations of checking the whole application. It was 0.31 when this limit was set. */
const MAX_SHARE = 0.35;
const CLIENT = `${FOLDER}cost-client.ts`;

/** A language service on files in memory, as an editor has it. */
function openEditor(files: Map<string, string>): { service: ts.LanguageService; edit: (text: string) => void } {
  const versions = new Map([...files.keys()].map((name) => [name, 0]));
  const service = ts.createLanguageService({
    getCompilationSettings: () => CHECK_OPTIONS,
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: (name) => String(versions.get(name) ?? 0),
    getScriptSnapshot: (name) => {
      const text = files.get(name) ?? ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => FOLDER,
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (name) => files.has(name) || ts.sys.fileExists(name),
    readFile: (name) => files.get(name) ?? ts.sys.readFile(name),
    directoryExists: (name) => ts.sys.directoryExists(name),
  });
  return {
    service,
    edit(text) {
      files.set(CLIENT, text);
      versions.set(CLIENT, (versions.get(CLIENT) ?? 0) + 1);
    },
  };
}

/** Completes where the text has a bar. */
function complete(editor: ReturnType<typeof openEditor>, typed: string) {
  const before = `${clientText()}\n`;
  editor.edit(before + typed.replace("|", ""));
  const started = process.cpuUsage();
  const found = editor.service.getCompletionsAtPosition(CLIENT, before.length + typed.indexOf("|"), {});
  const { user, system } = process.cpuUsage(started);
  const instantiations = editor.service.getProgram()?.getInstantiationCount() ?? Number.NaN;
  return { names: found?.entries.map(({ name }) => name) ?? [], milliseconds: (user + system) / 1_000, instantiations };
}

test(`completes in a client for ${RESOURCES} resources without checking all of them`, { timeout: 120_000 }, () => {
  const editor = openEditor(
    new Map([
      [`${FOLDER}cost-server.ts`, serverText()],
      [CLIENT, clientText()],
    ]),
  );
  const first = complete(editor, "await client.r41.list({ sort: [] |});");
  expect(first.names).toContain("select");
  const cases = {
    methods: complete(editor, "await client.r42.|"),
    fields: complete(editor, "await client.r42.list({ filter: { | } });"),
    operators: complete(editor, "await client.r42.list({ filter: { price: { | } } });"),
    selection: complete(editor, "await client.r42.list({ select: { next: { select: { | } } } });"),
  };
  expect(cases.methods.names).toEqual(expect.arrayContaining(["aggregate", "list", "watch"]));
  expect(cases.fields.names.toSorted()).toEqual(["and", "name", "next", "not", "or", "previous", "price"]);
  expect(cases.operators.names).toContain("gte");
  expect(cases.selection.names).toEqual(expect.arrayContaining(["at", "price", "previous"]));
  const started = process.cpuUsage();
  editor.service.getSemanticDiagnostics(CLIENT);
  editor.service.getSemanticDiagnostics(`${FOLDER}cost-server.ts`);
  const { user, system } = process.cpuUsage(started);
  const all = editor.service.getProgram()?.getInstantiationCount() ?? Number.NaN;
  const report = Object.entries(cases).map(
    ([name, { milliseconds, instantiations }]) => `${name} ${Math.round(milliseconds)} ms, ${instantiations}`,
  );
  process.stdout.write(
    `completions (CPU time, instantiations): ${report.join("; ")}; everything ${Math.round((user + system) / 1_000)} ms, ${all}\n`,
  );
  for (const { instantiations } of Object.values(cases)) expect(instantiations / all).toBeLessThan(MAX_SHARE);
});
