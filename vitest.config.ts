import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: ["packages/*", "examples/*", "scripts", "tests", "packages/core/vitest.{alone,graphql16}.config.ts"],
    // Many tests wait, for timers, databases or browsers.
    maxWorkers: availableParallelism() + 1,
    coverage: { provider: "v8", include: ["packages/*/src/**"] },
  },
});
