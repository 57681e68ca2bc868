// Checks which folders of packages/core/src import which, for every file at any depth: `npm run lint`. With `--print` it lists
// the imports between folders instead. It also checks that no files import each other in a circle, not even types, and that
// the browser code of each package is separate from its server code, and that no two files of core export the same name.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { findCycles } from "./find-cycles.ts";

const PACKAGES = resolve(import.meta.dirname, "../../packages");
const ROOT = join(PACKAGES, "core/src");

/** The folders that each folder may import, from the lowest to the highest. Everything may import `runtime`, `util` and `errors`. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  runtime: [],
  util: [],
  errors: [],
  definition: [],
  model: ["definition"],
  operation: ["definition", "model"],
  message: ["operation"],
  limits: ["definition", "model", "operation"],
  lowering: ["definition", "limits", "model", "operation"],
  events: ["model", "operation"],
  store: ["definition", "events", "model", "operation"],
  telemetry: ["events", "message", "operation", "store"],
  auth: ["definition", "model", "operation"],
  engine: ["definition", "events", "limits", "lowering", "model", "operation", "store", "telemetry"],
  rest: ["definition", "limits", "lowering", "message", "model", "operation", "telemetry"],
  graphql: ["definition", "limits", "lowering", "message", "model", "operation", "telemetry"],
  local: ["definition", "limits", "lowering", "model", "operation"],
  http: ["auth", "definition", "limits", "message", "operation", "store", "telemetry"],
  explain: ["definition", "engine", "http", "limits", "model", "operation"],
};
/** They put the parts together, so they may import everything. */
const ASSEMBLY: ReadonlySet<string> = new Set(["api"]);
/** Modules that decide about access, and the folders that may import them. Not even `api` may, so no front end gets them from it. */
const DECISIONS = "engine/access/";
const DECIDERS: ReadonlySet<string> = new Set(["engine", "explain"]);
/** Front ends pass on rejections of the engine. */
const FRONT_ENDS: ReadonlySet<string> = new Set(["rest", "graphql", "local"]);
/** Errors that only an access decision throws. */
const REFUSAL = /new BifocalError\(\s*"UNAUTHENTICATED"|"not_readable"/;
/** Folders that only one file may import, which registers them. */
const REGISTERED: ReadonlyMap<string, string> = new Map([["rest/json-api/", "rest/formats/formats.ts"]]);
/** The public lists. Nothing inside the package imports them. */
const isEntry = (path: string): boolean => !path.includes("/") || path.endsWith("/index.ts");

const EXPORT = /^export (?:async |abstract )*(?:const|let|function\*?|class|type|interface) (\w+)/gm;
const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^;]*?\bfrom\s*"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g;

/** One file that imports another, as paths below `packages/core/src`. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** A file below `packages/core/src`. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Returns the files of a folder without its tests. */
export function sourcesOf(root: string): readonly Source[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/\.test(-d)?\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Returns the imports between the files of a folder. */
export function importsOf(root: string, sources: readonly Source[]): readonly Import[] {
  return sources.flatMap(({ path, text }) => {
    return [...text.matchAll(IMPORT)].map(([, named, called]) => ({
      from: path,
      to: relative(root, resolve(root, dirname(path), named ?? called ?? "")),
    }));
  });
}

const folderOf = (path: string): string => path.split("/")[0] ?? "";

/** Returns what is wrong with an import; undefined if it is allowed. */
export function mistakeIn({ from, to }: Import): string | undefined {
  if (isEntry(from)) return undefined;
  if (isEntry(to)) return `${from} imports ${to}. The public lists are for users: import the file itself.`;
  const [own, other] = [folderOf(from), folderOf(to)];
  if (to.startsWith(DECISIONS) && !DECIDERS.has(own)) {
    return `${from} imports ${to}, but only the engine decides about access. Put what the request names into its operation.`;
  }
  for (const [folder, registry] of REGISTERED) {
    if (!to.startsWith(folder) || from.startsWith(folder) || from === registry) continue;
    return `${from} imports ${to}, but only ${registry} may import ${folder}, so that no other file depends on it.`;
  }
  if (
    own === other ||
    ASSEMBLY.has(own) ||
    other === "runtime" ||
    other === "util" ||
    (other === "errors" && own !== "util")
  )
    return undefined;
  const allowed = LAYERS[own];
  if (allowed === undefined)
    return `${from}: the folder '${own}' is not in tests/layers/check-layers.ts. Add it to LAYERS.`;
  if (allowed.includes(other)) return undefined;
  return `${from} imports ${to}, but '${own}' may only import ${["runtime", "util", "errors", ...allowed].join(", ")}.`;
}

/** Returns what is wrong if a front end decides about access itself; undefined if it doesn't. */
export function decisionIn({ path, text }: Source): string | undefined {
  if (!FRONT_ENDS.has(folderOf(path)) || !REFUSAL.test(text)) return undefined;
  return `${path} refuses access itself. Let the engine refuse it: put what the request names into its operation.`;
}

/** Folders that may import modules of Node. Types of Node may be imported everywhere, because they don't exist at run time. */
const NODE_FOLDERS = ["runtime/", "http/node/"];
const NODE_IMPORT = /^(?:import (?!type\b)|export )[^;]*?"(node:[^"]+)"|\bimport\("(node:[^"]+)"\)/gm;

/** Returns what is wrong with imports of Node's modules, which other runtimes may have to replace. */
export function nodeMistakes({ path, text }: Source): readonly string[] {
  if (NODE_FOLDERS.some((folder) => path.startsWith(folder))) return [];
  return [...text.matchAll(NODE_IMPORT)].map(
    ([, named, called]) =>
      `${path} imports ${named ?? called}. Import it from packages/core/src/runtime/, so that other runtimes can replace it.`,
  );
}

/** Returns what is wrong with a group of files that import each other. */
function circleMistake(files: readonly string[]): string {
  return `These files import each other in a circle: ${files.join(", ")}. Declare the types that they share in a file that imports none of them.`;
}

const RELATIVE = /(?:^|\n)\s*(?:import|export)\b(\s+type\b)?[^;]*?"(\.\.?\/[^"]+)"/g;

/** Returns the sources of all packages, and of their `client` folders, which run in the browser. */
export function packageSources(): readonly Source[] {
  return readdirSync(PACKAGES).flatMap((name) =>
    ["client", "src"]
      .filter((folder) => existsSync(join(PACKAGES, name, folder)))
      .flatMap((folder) =>
        sourcesOf(join(PACKAGES, name, folder)).map(({ path, text }) => ({ path: join(name, folder, path), text })),
      ),
  );
}

/** Returns the imports that mix browser code with server code. The browser code may import types of its own package. */
export function clientMistakes({ path, text }: Source): readonly string[] {
  const [name = "", folder] = path.split("/");
  return [...text.matchAll(RELATIVE)].flatMap(([, type, target = ""]) => {
    const to = join(dirname(path), target);
    const isClient = to.startsWith(`${name}/client/`);
    if (isClient === (folder === "client")) return [];
    if (isClient) return [`${path} imports ${to}, which runs in the browser. Import its bundle instead.`];
    if (type !== undefined && to.startsWith(`${name}/src/`)) return [];
    return [`${path} imports ${to}, but browser code may import only types from the server code of its package.`];
  });
}

/** Returns what is wrong with names that several files declare and export: a name means one thing. */
export function ambiguousNames(sources: readonly Source[]): readonly string[] {
  const paths = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const [, name = ""] of text.matchAll(EXPORT)) paths.set(name, (paths.get(name) ?? new Set()).add(path));
  }
  return [...paths]
    .filter(([, { size }]) => size > 1)
    .map(
      ([name, files]) => `'${name}' is declared in ${[...files].join(" and ")}. Rename one, or share one declaration.`,
    );
}

if (process.argv[1] === import.meta.filename) {
  const sources = sourcesOf(ROOT);
  const imports = importsOf(ROOT, sources);
  if (process.argv.includes("--print")) {
    const counts = new Map<string, number>();
    for (const { from, to } of imports) {
      if (isEntry(from) || folderOf(from) === folderOf(to)) continue;
      const edge = `${folderOf(from)} → ${folderOf(to)}`;
      counts.set(edge, (counts.get(edge) ?? 0) + 1);
    }
    for (const [edge, count] of [...counts].toSorted(([a], [b]) => a.localeCompare(b)))
      console.log(`${edge}  ${count}`);
    console.log(`${counts.size} arrows between folders, ${imports.length} imports`);
  } else {
    const mistakes = [
      ...imports.map(mistakeIn),
      ...sources.map(decisionIn),
      ...sources.flatMap(nodeMistakes),
      ...findCycles(imports).map(circleMistake),
      ...packageSources().flatMap(clientMistakes),
      ...ambiguousNames(sources),
    ].filter((mistake) => mistake !== undefined);
    for (const mistake of mistakes) console.error(mistake);
    if (mistakes.length > 0) process.exit(1);
  }
}
