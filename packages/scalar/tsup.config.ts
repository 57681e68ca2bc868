import { mkdirSync, writeFileSync } from "node:fs";
import { defineConfig } from "tsup";
import { readScalar } from "./bundle.ts";

/** The package contains Scalar's script, so nothing is downloaded later, and Scalar's dependencies are not installed. */
function writeScript(): void {
  const { script, license } = readScalar();
  mkdirSync("dist/assets", { recursive: true });
  writeFileSync("dist/assets/scalar.js", script);
  writeFileSync("LICENSE-scalar", license);
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
  onSuccess: () => Promise.resolve(writeScript()),
});
