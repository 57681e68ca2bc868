import { fileURLToPath } from "node:url";
import ts from "typescript";
import { CHECK_OPTIONS, serverText } from "./generated-app.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
export const CLIENT = `${FOLDER}cost-client.ts`;
export const SERVER = `${FOLDER}cost-server.ts`;

/** A language service on files in memory, as an editor has it. */
export function openEditor(
  files: Map<string, string>,
  settings: ts.CompilerOptions = CHECK_OPTIONS,
): { service: ts.LanguageService; edit: (text: string) => void } {
  const versions = new Map([...files.keys()].map((name) => [name, 0]));
  // An editor reads the other files once, and watches them.
  const read = new Map<string, string | undefined>();
  function readOnce(name: string): string | undefined {
    if (!read.has(name)) read.set(name, ts.sys.readFile(name));
    return read.get(name);
  }
  const service = ts.createLanguageService({
    getCompilationSettings: () => settings,
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: (name) => String(versions.get(name) ?? 0),
    getScriptSnapshot: (name) => {
      const text = files.get(name) ?? readOnce(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => FOLDER,
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (name) => files.has(name) || ts.sys.fileExists(name),
    readFile: (name) => files.get(name) ?? readOnce(name),
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

/** Returns the declarations of the generated API, as its package would publish them. */
export function emitDeclarations(): string {
  const { service } = openEditor(new Map([[SERVER, serverText()]]), {
    ...CHECK_OPTIONS,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
  });
  const text = service.getEmitOutput(SERVER, true, true).outputFiles[0]?.text;
  if (text?.includes("export declare const api") !== true) throw new Error("The API has no declarations.");
  return text;
}
