import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { defineConfig, type Options } from "tsup";

/** Entry points that only re-export. */
const reexporting = {
  index: "src/index.ts",
  explain: "src/explain/explain.ts",
  adapter: "src/adapter.ts",
  "store-driver": "src/store-driver.ts",
  "telemetry-driver": "src/telemetry-driver.ts",
  authenticator: "src/authenticator.ts",
  internal: "src/internal.ts",
  operations: "src/operations.ts",
  pages: "src/pages.ts",
  "graphql-extension": "src/graphql-extension.ts",
  formats: "src/formats.ts",
};
/** Loaded on first use. */
const rateLimit = { "rate-limit": "src/limits/rate-limit/rate-limit.ts" };
const ALL = "all-entry-points";

/**
 * Lets entry points re-export from the file that contains them all. Otherwise, esbuild creates a file for each
 * combination of entry points that share modules, and Node loads 26 files at start.
 */
const reexportFromOneFile: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "re-export-from-one-file",
  setup(build) {
    const extension = build.initialOptions.outExtension?.[".js"] ?? ".js";
    const paths: readonly string[] = Object.values(reexporting);
    build.onResolve({ filter: /./ }, ({ kind, path, namespace }) => {
      const file = relative("", path);
      if (kind === "entry-point" && paths.includes(file)) return { path: file, namespace: "entry" };
      if (namespace !== "entry") return undefined;
      return { path: `./${ALL}${extension}`, external: true };
    });
    build.onLoad({ filter: /./, namespace: "entry" }, async ({ path }) => ({
      contents: await readFile(path, "utf8"),
      loader: "ts",
    }));
  },
};

export default defineConfig({
  entry: { ...reexporting, ...rateLimit, [ALL]: `src/${ALL}.ts` },
  format: ["esm", "cjs"],
  dts: { entry: { ...reexporting, ...rateLimit } },
  esbuildPlugins: [reexportFromOneFile],
  sourcemap: true,
  // The package contains its source, so the source maps don't repeat it.
  esbuildOptions(options) {
    options.sourcesContent = false;
  },
  // One copy of each module in CommonJS too, so that entry points share caches and error classes.
  splitting: true,
  clean: true,
  target: "node20",
  platform: "node",
  tsconfig: "../../tsconfig.build.json",
});
