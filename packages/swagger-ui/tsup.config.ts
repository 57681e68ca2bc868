import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { defineConfig } from "tsup";
import { FILES, REDIRECT_FILES } from "./src/files.ts";

/**
 * The package contains the files of Swagger UI, so nothing is downloaded later, and Swagger UI's dependencies are not
 * installed.
 */
function copyFiles(): void {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  mkdirSync("dist/assets", { recursive: true });
  for (const { file } of Object.values({ ...FILES, ...REDIRECT_FILES }))
    copyFileSync(join(folder, file), join("dist/assets", file));
  copyFileSync(join(folder, "LICENSE"), "LICENSE-swagger-ui");
}

export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm", "cjs"],
  dts: true,
  sourcemap: true,
  // Both formats look for the files next to them.
  shims: true,
  // The package contains its source, so the source maps omit it.
  esbuildOptions(options) {
    options.sourcesContent = false;
  },
  clean: true,
  target: "node20",
  platform: "node",
  tsconfig: "../../tsconfig.build.json",
  onSuccess: () => Promise.resolve(copyFiles()),
});
