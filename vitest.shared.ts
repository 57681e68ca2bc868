import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// Workspace packages resolve to their TypeScript source, so tests need no build.
const conditions = ["@bifocal/source", ...defaultServerConditions];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["{src,test}/**/*.test.ts"],
    testTimeout: 20_000,
  },
});
