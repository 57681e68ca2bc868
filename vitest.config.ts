import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./vitest.sequencer.ts";

// The workers of Vitest, and the servers and commands that tests start, share what Node has compiled.
process.env["NODE_COMPILE_CACHE"] ??= resolve(import.meta.dirname, "node_modules/.cache/compiled");

export default defineConfig({
  test: {
    projects: [
      "packages/*",
      "examples/*",
      "scripts",
      "tests",
      "tests/vitest.{alone,timed}.config.ts",
      "packages/core/vitest.{alone,graphql16}.config.ts",
    ],
    sequence: { sequencer: LongestFirst },
    coverage: { provider: "v8", include: ["packages/*/src/**"] },
  },
});
