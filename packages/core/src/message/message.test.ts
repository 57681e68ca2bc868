import fc from "fast-check";
import { expect, test } from "vitest";
import { sameHostPath } from "./message.ts";

test.each([
  ["", ""],
  ["/", "/"],
  ["/api", "/api"],
  ["/api//x", "/api//x"],
  ["//evil.example/x", "/evil.example/x"],
  ["///evil.example", "/evil.example"],
  ["/\\evil.example", "/%5Cevil.example"],
  ["\\\\evil.example", "%5C%5Cevil.example"],
  ["//\\/x", "/%5C/x"],
  ["/%2F/x", "/%2F/x"],
])("%s becomes %s", (path, safe) => {
  expect(sameHostPath(path)).toBe(safe);
});

test("no path that starts with a slash leads to another host", () => {
  const parts = fc.array(fc.constantFrom("/", "\\", "evil.example", "%2F", "a", ".", ":", "@"), { maxLength: 8 });
  fc.assert(
    fc.property(parts, (rest) => {
      const path = sameHostPath(`/${rest.join("")}`);
      expect(new URL(path, "https://api.example").host).toBe("api.example");
    }),
    { numRuns: 1_000 },
  );
});
