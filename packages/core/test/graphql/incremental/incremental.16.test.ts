import { expect, test } from "vitest";
import { DefinitionError } from "../../../src/index.ts";
import { library } from "./library.ts";

test("graphql 16 has no incremental delivery, and the start says so", () => {
  expect(() => library()).toThrow(DefinitionError);
  expect(() => library()).toThrow(/graphql\.incremental: This version of graphql doesn.t support @defer and @stream/);
});
