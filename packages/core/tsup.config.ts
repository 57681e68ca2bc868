import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    access: "src/explain/explain.ts",
    adapter: "src/adapter.ts",
    "store-driver": "src/store-driver.ts",
    "telemetry-driver": "src/telemetry-driver.ts",
    authenticator: "src/authenticator.ts",
    "rate-limit": "src/limits/rate-limit/rate-limit.ts",
  },
  format: ["esm", "cjs"],
  dts: true,
  sourcemap: true,
  // The package contains its source, so the source maps don't repeat it.
  esbuildOptions(options) {
    options.sourcesContent = false;
  },
  clean: true,
  target: "node20",
  platform: "node",
  tsconfig: "../../tsconfig.build.json",
});
