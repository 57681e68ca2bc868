import { describe, expect, test } from "vitest";
import { findBrokenRule, RULES } from "./rules.ts";

const BAD: Readonly<Record<string, readonly string[]>> = {
  "clause-as-subject": [
    "What a rule hides is left out.",
    "Who resumes later gets a reset.",
    "Whoever reads slowly loses its connection.",
    "The body is read first; what exceeds the limit is refused.",
  ],
  "what-is": [
    "Rows of what was read are kept.",
    "The cost depends on the size of what is sent.",
    "All that was written is undone.",
  ],
  "reporting-verb": [
    "The subscriber is told which row left.",
    "The option says no.",
    "The database is asked once.",
    "Changes are heard by every instance.",
  ],
  "negated-noun": ["A view is no table.", "Of those none are visible.", "A number that is none."],
  "inverted-condition": [
    "Where a store has no transactions, writes are separate.",
    "Should the bus fail, readers poll.",
    "Rows are locked only where the database can.",
  ],
  "fronted-preposition": [
    "Of a list the first page is read.",
    "The order is fixed; of two rows the older comes first.",
  ],
  "indefinite-actor": ["Nobody may read the field.", "The lock waits until somebody releases it."],
  "one-as-noun": ["A request that exceeds one is refused.", "It reads the one that is open."],
  "private-idiom": [
    "The table is made anew.",
    "Here stands the name of the route.",
    "The row is gone.",
    "Two writes are in each other's way.",
  ],
  "modal-riddle": ["The list may be had as CSV.", "The secret is to be set.", "Callers may not read it."],
  "answers-for-returns": [
    "The route answers 404.",
    "`GET /books` is answered with a page.",
    "The method answers `null`.",
  ],
  "delete-not-remove": ["The engine removes the row."],
  "american-spelling": ["The colour of the button.", "Rows are serialised as text.", "The request was cancelled."],
  "stacked-clauses": ["One fact; a second fact; a third fact."],
  "long-sentence": [`The store ${"reads a row and ".repeat(12)}stops.`],
};

const GOOD = [
  "Requests that exceed a limit are rejected before any work is done.",
  "`GET /books` returns 200 and a JSON array.",
  "What happens when two writers update the same row?",
  "What's new",
  "How to add a field",
  "If a store has no transactions, each write commits separately.",
  "There are no required options.",
  "The default no longer applies.",
  "Of course, you can write your own store.",
  "See what changed in the release notes.",
  "The error message says which parameter is unknown.",
  "Tell Bifocal that the proxy is trusted.",
  "`ISBN` stands for International Standard Book Number.",
  "A plugin that may or may not be installed.",
  "Each of these options is described below.",
  "This helps the client to ask for less data.",
  "Removes a link between two rows.",
  "The number of rows that one page can hold.",
  "Set `trustedProxies` to your proxy, or to `[]` if you have none.",
  "This book was changed by someone else.",
];

describe.each(RULES)("rule $id", ({ id }) => {
  test.each(BAD[id] ?? [])("flags %j", (sentence) => {
    expect(findBrokenRule(sentence)?.id).toBe(id);
  });

  test("has examples", () => {
    expect(BAD[id]?.length).toBeGreaterThan(0);
  });
});

test.each(GOOD)("accepts %j", (sentence) => {
  expect(findBrokenRule(sentence)?.id).toBeUndefined();
});
