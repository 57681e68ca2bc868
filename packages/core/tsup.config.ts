import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts", adapter: "src/adapter.ts", "testing/index": "src/testing/index.ts" },
  format: ["esm", "cjs"],
  dts: true,
  sourcemap: true,
  clean: true,
  target: "node20",
  platform: "node",
  tsconfig: "../../tsconfig.build.json",
});
