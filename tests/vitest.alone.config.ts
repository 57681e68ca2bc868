import { defineProject, mergeConfig } from "vitest/config";
import shared from "../vitest.shared.ts";
import { ALONE } from "./vitest.alone.ts";

const config = mergeConfig(
  shared,
  defineProject({ test: { name: "tests-alone", expect: { poll: { timeout: 15_000 } } } }),
);
config.test.include = ALONE;

export default config;
