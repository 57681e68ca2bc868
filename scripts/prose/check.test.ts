import { expect, test } from "vitest";
import type { Report } from "./areas.ts";
import { findExcesses, lowerBudget } from "./budget.ts";
import { readMarkdown, splitGenerated } from "./read-markdown.ts";
import { readSource } from "./read-source.ts";
import { RULES } from "./rules.ts";
import { isTitle, subjectOf } from "./titles.ts";

const place = ({ line, text }: { line: number; text: string }) => `${line}: ${text}`;

test("reads paragraphs, headings, list items and table cells of a page", () => {
  const page = `---
title: not prose here
---

# The first page

Two lines make
one sentence. The \`code.here\` is short! See [the next page](next.md).

- an item of a list
  over two lines

| name | meaning of it here |
|---|---|
| a | one more cell here |

<!-- not for readers -->
\`\`\`ts
const notProse = "left out of it";
\`\`\`
`;
  expect(readMarkdown("a.md", page).map(place)).toEqual([
    "5: The first page",
    "7: Two lines make one sentence.",
    "8: The `x` is short!",
    "8: See the next page.",
    "10: an item of a list over two lines",
    "13: meaning of it here",
    "15: one more cell here",
  ]);
});

test("separates generated sections, and keeps the lines of both parts", () => {
  const { written, generated } = splitGenerated(
    "one two three\n<!-- table -->\nfour five six\n<!-- /table -->\nseven eight nine\n",
  );
  expect(readMarkdown("a.md", written).map(place)).toEqual(["1: one two three", "5: seven eight nine"]);
  expect(readMarkdown("a.md", generated).map(place)).toEqual(["3: four five six"]);
});

test("reads comments, messages and names of tests", () => {
  const source = `// A comment over
// two lines. And another one.
/**
 * Returns the {@link Row} of a key.
 * @param key - the key of it
 */
export const sql = "select id from book where id = ?";
throw new Error(\`Unknown field \${name} of the row.\` + " Use another one.");
test.each([1])("returns 404 for %s of them", () => undefined);
`;
  const { comments, messages, tests } = readSource("a.ts", source);
  expect(comments.map(place)).toEqual([
    "1: A comment over two lines.",
    "2: And another one.",
    "4: Returns the `x` of a key.",
    "5: key - the key of it",
  ]);
  expect(messages.map(place)).toEqual(["8: Unknown field `x` of the row.", "8: Use another one."]);
  expect(tests.map(place)).toEqual(["9: returns 404 for %s of them"]);
});

test.each([
  ["fix(rest): return 409 when two patches conflict", true],
  ["feat(core)!: embed rows of to-one relations", true],
  ["docs: describe limits in plain words", true],
  ["fix(rest): a patch that conflicts is a 409", false],
  ["fix(rest): returned 409", false],
  ["Update the readme", false],
])("judges the commit title %j", (title, isGood) => {
  expect(isTitle(title)).toBe(isGood);
  expect(subjectOf("fix(rest): return 409")).toBe("Return 409");
});

const finding = { file: "a.md", line: 1, text: "What is bad.", rule: RULES[0]!, isPast: false };
const reportOf = (flagged: number, sentences: number, area: "docs" | "titles" = "docs"): Report => ({
  findings: Array.from({ length: flagged }, () => ({ ...finding, area })),
  sentences: { docs: 0, changesets: 0, comments: 0, messages: 0, tests: 0, titles: 0, [area]: sentences },
});

test("fails an area that is done above 1 %", () => {
  const budget = { done: ["docs"], recorded: {} } as const;
  expect(findExcesses(reportOf(1, 100), budget)).toEqual([]);
  expect(findExcesses(reportOf(2, 100), budget)).toEqual(["docs: 2.0 % of sentences are flagged; the limit is 1 %."]);
});

test("fails another area when it gets worse, and lowers its figure when it gets better", () => {
  const budget = { done: [], recorded: { docs: { flagged: 10, sentences: 100 } } } as const;
  expect(findExcesses(reportOf(10, 50), budget)).toEqual([]);
  expect(findExcesses(reportOf(11, 200), budget)).toEqual([]);
  expect(findExcesses(reportOf(11, 100), budget)).toHaveLength(1);
  expect(lowerBudget(reportOf(11, 100), budget).recorded.docs).toEqual({ flagged: 10, sentences: 100 });
  expect(lowerBudget(reportOf(5, 100), budget).recorded.docs).toEqual({ flagged: 5, sentences: 100 });
});

test("fails for the titles of new commits only", () => {
  const budget = { done: [], recorded: {} } as const;
  const report = reportOf(2, 100, "titles");
  expect(findExcesses(report, budget)).toEqual(["titles: reword 2 commit titles of this branch."]);
  const past = report.findings.map((each) => ({ ...each, isPast: true }));
  expect(findExcesses({ ...report, findings: past }, budget)).toEqual([]);
});
