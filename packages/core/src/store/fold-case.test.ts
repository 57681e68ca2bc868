import { expect, test } from "vitest";
import { foldCase } from "./fold-case.ts";

test.each([
  ["Emma", "emma"],
  ["ΟΔΟΣ", "οδοσ"],
  ["οδος", "οδοσ"],
  ["İ", "i\u0307"],
  ["\u212A", "k"],
])("folds %j to %j", (text, folded) => {
  expect(foldCase(text)).toBe(folded);
});
