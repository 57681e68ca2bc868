import { availableParallelism } from "node:os";
import { defineProject, mergeConfig } from "vitest/config";
import shared from "../vitest.shared.ts";
import { TIMED } from "./vitest.timed.ts";

const config = mergeConfig(
  shared,
  defineProject({
    test: {
      name: "tests-timed",
      expect: { poll: { timeout: 15_000 } },
      maxWorkers: availableParallelism(),
      sequence: { groupOrder: 1 },
    },
  }),
);
config.test.include = TIMED;

export default config;
