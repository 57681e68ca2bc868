import { expect, test } from "vitest";
import { createTracker } from "../src/create.ts";

test("has the schema of schema.graphql", async () => {
  await expect(createTracker().api.graphql.sdl()).toMatchFileSnapshot("../schema.graphql");
});
