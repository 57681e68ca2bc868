import { expect, test } from "vitest";
import { createUuid } from "./create-uuid.ts";

test("creates distinct UUIDs of version 4", () => {
  const ids = Array.from({ length: 10_000 }, createUuid);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

test("uses every digit at every random place", () => {
  const digits = Array.from({ length: 36 }, () => new Set<string>());
  for (let n = 0; n < 2_000; n++)
    for (const [place, digit] of createUuid().split("").entries()) digits[place]?.add(digit);
  const counts = digits.map(({ size }) => size);
  const hyphens = [8, 13, 18, 23];
  expect(counts).toEqual(
    counts.map((_, place) => (hyphens.includes(place) || place === 14 ? 1 : place === 19 ? 4 : 16)),
  );
});
