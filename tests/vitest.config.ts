import { defineProject, mergeConfig } from "vitest/config";
import shared from "../vitest.shared.ts";

export default mergeConfig(
  shared,
  defineProject({
    // A browser on a busy machine is slow.
    test: { name: "tests", include: ["**/*.test.ts"], expect: { poll: { timeout: 15_000 } } },
  }),
);
