import { mkdirSync, writeFileSync } from "node:fs";
import { defineConfig } from "tsup";
import { bundle } from "./bundle.ts";

function writeFiles(): void {
  const { files, licenses } = bundle();
  mkdirSync("dist/assets", { recursive: true });
  for (const [name, contents] of files) writeFileSync(`dist/assets/${name}`, contents);
  writeFileSync("LICENSES-bundled", licenses);
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
  onSuccess: () => Promise.resolve(writeFiles()),
});
