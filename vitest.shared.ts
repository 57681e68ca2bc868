import { availableParallelism } from "node:os";
import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// Workspace packages resolve to their TypeScript source, so tests need no build.
const conditions = ["@bifocal/source", ...defaultServerConditions];

// Only long runs count their cases, or repeat one: see tests/verify.
const { PROPERTY_REPORT, PROPERTY_SEED } = process.env;
const isCounting = PROPERTY_REPORT !== undefined || PROPERTY_SEED !== undefined;

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["{src,test}/**/*.test.ts"],
    testTimeout: 20_000,
    // Tests often wait for timers, servers and browsers, so another worker keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    setupFiles: isCounting ? [`${import.meta.dirname}/tests/verify/properties.ts`] : [],
  },
});
