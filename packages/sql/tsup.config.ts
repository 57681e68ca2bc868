import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm", "cjs"],
  dts: true,
  sourcemap: true,
  // The package contains its source, so the source maps don't repeat it.
  esbuildOptions(options) {
    options.sourcesContent = false;
  },
  clean: true,
  target: "node22",
  platform: "node",
  // Node has no `sqlite` module without the `node:` prefix.
  removeNodeProtocol: false,
  tsconfig: "../../tsconfig.build.json",
});
