import { expect, test } from "vitest";
import { createSightings } from "./sightings.ts";

test("recognizes a text from its second sighting on", () => {
  const isRepeated = createSightings();
  for (const text of ["", "a", "b", "ab", "ba", "ü".repeat(1_000)]) {
    expect(isRepeated(text)).toBe(false);
    expect(isRepeated(text)).toBe(true);
    expect(isRepeated(text)).toBe(true);
  }
});

test("recognizes most of a thousand texts, and takes few new texts for old ones", () => {
  const isRepeated = createSightings();
  const texts = Array.from({ length: 1_000 }, (_, index) => `query Books${index} { books { nodes { id } } }`);
  expect(texts.filter(isRepeated).length).toBeLessThan(3);
  expect(texts.filter(isRepeated).length).toBeGreaterThan(900);
});

test("forgets texts, so that its memory is bounded", () => {
  const isRepeated = createSightings();
  isRepeated("first");
  for (let index = 0; index < 200_000; index++) isRepeated(`other ${index}`);
  expect(isRepeated("first")).toBe(false);
});
