import { configDefaults, defineProject, mergeConfig } from "vitest/config";
import shared from "../vitest.shared.ts";
import { TIMED } from "./vitest.timed.ts";

export default mergeConfig(
  shared,
  defineProject({
    // A browser is slow on a busy machine.
    test: {
      name: "tests",
      include: ["**/*.test.ts"],
      exclude: [...configDefaults.exclude, ...TIMED],
      expect: { poll: { timeout: 15_000 } },
    },
  }),
);
