import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      "packages/*",
      "examples/*",
      "scripts",
      "tests",
      "tests/vitest.timed.config.ts",
      "packages/core/vitest.{alone,graphql16}.config.ts",
    ],
    coverage: { provider: "v8", include: ["packages/*/src/**"] },
  },
});
