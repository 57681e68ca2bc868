import { expect, test } from "vitest";
import { start } from "../graphql/notes.ts";

const SUBSCRIBERS = 60;
const BOOKS = 50;

test("one write with many changes lets other requests run while its events are read and delivered", async () => {
  const { api, calls } = start();
  // Each subscriber has a filter of its own, so none shares the reads of another one.
  const streams = Array.from({ length: SUBSCRIBERS }, (_, n) =>
    api.local.book.watch({ on: ["created"], filter: { title: { ne: `${n}` } } })[Symbol.asyncIterator](),
  );
  const firsts = streams.map((stream) => stream.next());
  await new Promise((resolve) => setTimeout(resolve, 20));
  const input = Array.from({ length: BOOKS }, (_, n) => ({
    id: n + 2,
    authorId: 1,
    title: `Book ${n}`,
    genre: "poem" as const,
  }));
  await api.local.book.createMany(input);
  calls.length = 0;
  let most = 0;
  let seen = 0;
  let counting = setImmediate(function count() {
    most = Math.max(most, calls.length - seen);
    seen = calls.length;
    counting = setImmediate(count);
  });
  await Promise.all(firsts);
  for (let n = 1; n < BOOKS; n += 1) await Promise.all(streams.map((stream) => stream.next()));
  await new Promise((resolve) => setTimeout(resolve, 20));
  clearImmediate(counting);
  expect(calls.length).toBeGreaterThan(SUBSCRIBERS * BOOKS * 0.9);
  expect(most).toBeLessThan(200);
  await Promise.all(streams.map(async (stream) => stream.return?.()));
});
