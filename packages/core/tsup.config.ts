import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
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
    "rate-limit": "src/limits/rate-limit/rate-limit.ts",
  },
  format: ["esm", "cjs"],
  dts: true,
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
