import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withFigures } from "./catalogue/figures.ts";
import { findTests, ROOT } from "./catalogue/find-tests.ts";
import { REASONS } from "./catalogue/reasons.ts";
import { BEGIN, END, printTable } from "./catalogue/table.ts";
import { TITLES } from "./catalogue/titles.ts";

/** The number of cases per letter. */
const COUNTS = { A: 42, B: 12, C: 18, D: 12, E: 21, F: 18, G: 12, H: 18, I: 18, J: 22 };
const IDS = Object.entries(COUNTS).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(2, "0")}`),
);
const tests = findTests();

test("every case has a title", () => {
  expect(Object.keys(TITLES)).toEqual(IDS);
});

test.each(IDS)("%s has a test whose name starts with the id, or a reason why it has no test", (id) => {
  expect([tests.has(id), REASONS[id] !== undefined]).not.toEqual([false, false]);
});

test("every id in a test name exists", () => {
  expect([...tests.keys()].filter((id) => !IDS.includes(id))).toEqual([]);
});

test("docs/security.md contains the current table (`npm run catalogue` writes it)", () => {
  const page = readFileSync(`${ROOT}docs/security.md`, "utf8");
  expect(page.split(BEGIN)[1]?.split(END)[0]).toBe(printTable());
});

test("docs/security.md contains the current figures (`npm run catalogue` writes them)", () => {
  const page = readFileSync(`${ROOT}docs/security.md`, "utf8");
  expect(withFigures(page)).toBe(page);
});
