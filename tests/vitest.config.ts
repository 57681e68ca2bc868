import { defineProject, mergeConfig } from "vitest/config";
import shared from "../vitest.shared.ts";

export default mergeConfig(
  shared,
  defineProject({
    // A browser is slow on a busy machine.
    test: { name: "tests", include: ["**/*.test.ts"], expect: { poll: { timeout: 15_000 } } },
  }),
);
