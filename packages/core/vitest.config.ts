import { configDefaults, defineProject, mergeConfig } from "vitest/config";
import shared from "../../vitest.shared.ts";
import { ALONE } from "./vitest.alone.ts";

export default mergeConfig(
  shared,
  defineProject({
    test: {
      name: "core",
      exclude: [...configDefaults.exclude, ...ALONE, "**/*.16.test.ts"],
      // Reloading the modules for each file takes longer than most tests.
      isolate: false,
      typecheck: { enabled: true, include: ["src/**/*.test-d.ts"], tsconfig: "./tsconfig.json" },
    },
  }),
);
