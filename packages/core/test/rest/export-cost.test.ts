import { expect, test } from "vitest";
import { start } from "../graphql/notes.ts";
import { answerText } from "../answer.ts";

test("reads a complete list in pieces that each stay within the cost limit", async () => {
  const { api, calls } = start({}, { query: { cost: 300 } });
  for (let first = 2; first <= 40; first += 1) {
    // One after another, so that the ids are in order.
    await api.local.author.create({ id: first, name: `Author ${first}`, email: "a@example.com" });
  }
  calls.length = 0;
  const { status, text } = await answerText(api, "GET", "/authors?include=books&fields=id", {
    headers: { accept: "application/x-ndjson" },
  });
  expect(status).toBe(200);
  expect(text.trim().split("\n")).toHaveLength(40);
  // A row with its page of 20 books costs 21.
  expect(calls.filter((call) => call === "author.list")).toHaveLength(Math.ceil(40 / Math.floor((300 - 11) / 21)));
});
