import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

/** Returns the modules of Node that a bundle of an app imports, which serves an API by `fetchHandler`. */
async function importedModules(): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: {
      contents: 'export * from "@bifocal/core"; export * from "@bifocal/fetch";',
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@bifocal/source"],
    external: ["node:*", "ws"],
    metafile: true,
    write: false,
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return imported.filter((path) => path.startsWith("node:")).toSorted();
}

test("an app with fetchHandler imports the modules of Node in docs/adapters.md and no others", async () => {
  const page = readFileSync(resolve(ROOT, "docs/adapters.md"), "utf8");
  const documented = [...page.matchAll(/^\| `(node:[\w/]+)` \|/gm)].map(([, name = ""]) => name).toSorted();
  expect(documented.length).toBeGreaterThan(0);
  expect(await importedModules()).toEqual(documented);
});
