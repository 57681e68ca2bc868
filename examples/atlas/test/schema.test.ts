import { memoryStore } from "@bifocal/core";
import { expect, test } from "vitest";
import { createAtlas } from "../src/create.ts";

test("has the schema of schema.graphql", async () => {
  await expect(createAtlas(memoryStore()).api.graphql.sdl()).toMatchFileSnapshot("../schema.graphql");
});
