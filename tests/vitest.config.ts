import { configDefaults, defineProject, mergeConfig } from "vitest/config";
import shared from "../vitest.shared.ts";
import { ALONE } from "./vitest.alone.ts";
import { TIMED } from "./vitest.timed.ts";

export default mergeConfig(
  shared,
  defineProject({
    // A browser is slow on a busy machine.
    test: {
      name: "tests",
      // Reloading the modules for each file takes a tenth of the time of the tests.
      isolate: false,
      include: ["**/*.test.ts"],
      exclude: [...configDefaults.exclude, ...ALONE, ...TIMED],
      expect: { poll: { timeout: 15_000 } },
    },
  }),
);
