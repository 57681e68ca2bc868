import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/main.ts"],
  format: ["esm"],
  dts: false,
  sourcemap: true,
  // The package contains its source, so the source maps omit it.
  esbuildOptions(options) {
    options.sourcesContent = false;
  },
  clean: true,
  target: "node22",
  platform: "node",
  removeNodeProtocol: false,
  tsconfig: "../../tsconfig.build.json",
});
