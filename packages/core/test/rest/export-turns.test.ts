import { expect, test } from "vitest";
import { start } from "../graphql/notes.ts";
import { answerText } from "../answer.ts";

const PIECES = 30;

test("reading a complete list as fast as possible lets other requests run after each piece", async () => {
  // With this limit, a piece has one row.
  const { api } = start({}, { query: { cost: 24 } });
  for (let id = 2; id <= PIECES; id += 1) {
    await api.local.author.create({ id, name: `Author ${id}`, email: "a@example.com" });
  }
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  const { status, text } = await answerText(api, "GET", "/authors?include=books&fields=id", {
    headers: { accept: "application/x-ndjson" },
  });
  clearImmediate(counting);
  expect(status).toBe(200);
  expect(text.trim().split("\n")).toHaveLength(PIECES);
  expect(turns).toBeGreaterThanOrEqual(PIECES - 1);
});
