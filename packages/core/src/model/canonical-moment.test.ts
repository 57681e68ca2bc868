import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalMoment, compareMoments } from "./canonical-moment.ts";

test.each([
  ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
  ["2026-01-31T12:00Z", "2026-01-31T12:00:00.000Z"],
  ["2026-01-31T12:00:00.5Z", "2026-01-31T12:00:00.500Z"],
  ["2026-01-31T12:00:00.000250Z", "2026-01-31T12:00:00.000250Z"],
  ["2026-01-31T12:00:00.123000Z", "2026-01-31T12:00:00.123Z"],
  ["2026-01-31T12:00:00.123456000Z", "2026-01-31T12:00:00.123456Z"],
  ["2026-01-31T13:00:00+02:00", "2026-01-31T11:00:00.000Z"],
  ["2026-01-31T13:00:00", "2026-01-31T13:00:00.000Z"],
  ["2026-01-31T12:00:00.1234567Z", undefined],
  ["0001-01-01T00:00:00+01:00", undefined],
  ["0000-01-01T00:00:00.000Z", undefined],
  ["9999-12-31T23:59:59-01:00", undefined],
  ["2026-01-31", undefined],
])("%s is stored as %s", (given, stored) => {
  expect(canonicalMoment(given)).toBe(stored);
});

const moments = fc
  .tuple(fc.date({ min: new Date(0), max: new Date(1e13), noInvalidDate: true }), fc.integer({ min: 0, max: 999 }))
  .map(([date, micros]) => `${date.toISOString().slice(0, -1)}${String(micros).padStart(3, "0")}Z`);

test("returns a stored value unchanged, and keeps the order", () => {
  fc.assert(
    fc.property(moments, moments, (a, b) => {
      const [x, y] = [canonicalMoment(a) as string, canonicalMoment(b) as string];
      expect(canonicalMoment(x)).toBe(x);
      expect(Math.sign(compareMoments(x, y))).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});
