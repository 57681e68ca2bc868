import { expect, test } from "vitest";
import { DefinitionError } from "../../../src/index.ts";
import { library } from "./library.ts";

test("rejects the option on graphql 16, which has no incremental delivery", () => {
  expect(() => library()).toThrow(DefinitionError);
  expect(() => library()).toThrow(/graphql\.incremental: This version of graphql doesn.t support @defer and @stream/);
});
