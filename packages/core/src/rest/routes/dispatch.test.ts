import fc from "fast-check";
import { expect, test } from "vitest";
import { splitPath } from "./dispatch.ts";

test("splits a path at each slash", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("/", "a", "é", "%2F") }), (path) => {
      expect(splitPath(path)).toEqual(path.split("/"));
    }),
  );
});
