import { buildSync, type OutputFile } from "esbuild";
import { join } from "node:path";
import type { Bundle } from "./bundles.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Bundles browser code for browsers of the last years, and returns a module with the results as text. */
export function writeBundle({ folder, entries }: Bundle): string {
  const constants = Object.entries(entries).map(([name, entry]) => {
    return `export const ${name} = ${toTemplate(bundle(folder, entry))};\n`;
  });
  return `// Generated from ${folder}/ by \`npm run bundle\`. Don't edit this file.\n${constants.join("")}`;
}

function bundle(folder: string, entry: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: join(ROOT, folder),
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "iife",
    conditions: ["@bifocal/source"],
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    write: false,
    logLevel: "warning",
  });
  return (outputFiles[0] as OutputFile).text;
}

/** Writes text as a template literal, because the formatter leaves these unchanged. */
function toTemplate(text: string): string {
  return `\`${text.replace(/[\\`]|\$\{/g, "\\$&")}\``;
}
