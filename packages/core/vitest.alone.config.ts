import { defineProject, mergeConfig } from "vitest/config";
import shared from "../../vitest.shared.ts";
import { ALONE } from "./vitest.alone.ts";

const config = mergeConfig(shared, defineProject({ test: { name: "core-alone" } }));
config.test.include = ALONE;

export default config;
