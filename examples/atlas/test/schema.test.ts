import { memoryStore } from "@bifocal/core";
import { expect, test } from "vitest";
import { createAtlas } from "../src/create.ts";

test("its schema is the one in schema.graphql", async () => {
  await expect(createAtlas(memoryStore()).api.graphql.sdl()).toMatchFileSnapshot("../schema.graphql");
});
