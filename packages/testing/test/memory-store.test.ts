import { memoryStore } from "@bifocal/core";
import { expect, test } from "vitest";
import { createFixture, skipReason, storeCases } from "../src/index.ts";

test.each(storeCases)("$id $name", async (one) => {
  const fixture = await createFixture(() => memoryStore());
  expect(skipReason(one, fixture.store.capabilities)).toBeUndefined();
  await one.run(fixture);
});

test("case ids are unique", () => {
  expect(new Set(storeCases.map(({ id }) => id)).size).toBe(storeCases.length);
});
