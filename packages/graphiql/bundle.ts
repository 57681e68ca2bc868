import { buildSync, type BuildOptions, type Metafile } from "esbuild";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = dirname(fileURLToPath(import.meta.url));

const COMMON = {
  absWorkingDir: FOLDER,
  outdir: "dist/assets",
  write: false,
  bundle: true,
  minify: true,
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
  target: "es2022",
  define: { "process.env.NODE_ENV": '"production"' },
} as const satisfies BuildOptions;

const MONACO = "monaco-editor/esm/vs";

/** Bundles GraphiQL for browsers: a script, a style sheet and the editor's workers. */
export function bundle(): { readonly files: ReadonlyMap<string, Uint8Array>; readonly licenses: string } {
  const page = buildSync({
    ...COMMON,
    format: "esm",
    entryPoints: { graphiql: "client/main.ts" },
    loader: { ".ttf": "dataurl" },
  });
  const workers = buildSync({
    ...COMMON,
    format: "iife",
    entryPoints: {
      "graphiql-editor.worker": `${MONACO}/editor/editor.worker.js`,
      "graphiql-json.worker": `${MONACO}/language/json/json.worker.js`,
      "graphiql-graphql.worker": "monaco-graphql/esm/graphql.worker.js",
    },
  });
  const files = [...page.outputFiles, ...workers.outputFiles].map(({ path, contents }) => [basename(path), contents]);
  return {
    files: new Map(files as [string, Uint8Array][]),
    licenses: licensesOf({ ...page.metafile.inputs, ...workers.metafile.inputs }),
  };
}

/** Returns the licenses of all packages in the bundle, which most of them require. */
function licensesOf(inputs: Metafile["inputs"]): string {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => path.match(/.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []),
  );
  const texts = [...folders].toSorted().map((relative) => {
    const folder = join(FOLDER, relative);
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package;
    const files = readdirSync(folder).filter((entry) => /^(licen[cs]e|third-?party-?notices)/i.test(entry));
    const text = files.map((file) => `\n${readFileSync(join(folder, file), "utf8").trim()}\n`);
    return `## ${name} ${version}: ${license}\n${text.join("")}`;
  });
  return texts.join("\n");
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}
