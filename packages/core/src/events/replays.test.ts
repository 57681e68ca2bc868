import { expect, test } from "vitest";
import { Listeners } from "./listeners.ts";
import { Replays } from "./replays.ts";

const PAGES = 50;
/** The offset of the last page. */
const END = PAGES * 10;

test("lets other requests run after each page of a log that is read at once", async () => {
  let reads = 0;
  const changes = {
    advance: async () => ({ name: "log", offset: END, grew: false }),
    read: async ({ after }: { readonly after: number }) => {
      reads += 1;
      return { kind: "page" as const, changes: [], offset: after + 10 };
    },
    prune: async () => {},
  };
  const replays = new Replays(changes, { retryAfter: 10, settled: async () => {} });
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  const joined: boolean[] = [];
  await replays.run(new Listeners().open("book", { next() {} }), {
    start: () => 0,
    end: () => END,
    eventOf: () => expect.unreachable("The pages are empty."),
    join: (isComplete) => void joined.push(isComplete),
  });
  clearImmediate(counting);
  expect({ reads, joined }).toEqual({ reads: PAGES, joined: [true] });
  expect(turns).toBeGreaterThanOrEqual(PAGES - 1);
});
