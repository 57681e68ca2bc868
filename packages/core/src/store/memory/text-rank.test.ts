import fc from "fast-check";
import { expect, test } from "vitest";
import { compareText } from "../compare-values.ts";
import { commonPrefix, textRank } from "./text-rank.ts";

const text = fc.string({
  unit: fc.constantFrom("a", "b", "~", "\u007F", "\u0080", "\uD7FF", "\uE000", "\uFF5E", "\u{1F600}", "\u0000"),
  maxLength: 9,
});

test("texts with different ranks are in the order of the ranks", () => {
  let decided = 0;
  fc.assert(
    fc.property(text, text, text, (prefix, rest, other) => {
      const [a, b] = [prefix + rest, other.length % 2 === 0 ? prefix + other : other];
      const difference = textRank(a, prefix) - textRank(b, prefix);
      if (difference === 0) return;
      decided++;
      expect(Math.sign(compareText(a, b))).toBe(Math.sign(difference));
    }),
    { numRuns: 5_000 },
  );
  expect(decided).toBeGreaterThan(2_500);
});

test("seven ASCII characters after the prefix decide", () => {
  expect(textRank("Title abcdef1", "Title ")).toBeLessThan(textRank("Title abcdef2", "Title "));
  expect(textRank("Title abcdefg1", "Title ")).toBe(textRank("Title abcdefg2", "Title "));
  expect(textRank("Title", "Title ")).toBeLessThan(textRank("Title ", "Title "));
});

test("a common prefix ends at the first different character", () => {
  expect(commonPrefix("Title 1", "Title 2")).toBe("Title ");
  expect(commonPrefix("Title", "Title 2")).toBe("Title");
  expect(commonPrefix("a", "b")).toBe("");
});
