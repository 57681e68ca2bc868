import { expect, test } from "vitest";
import type { ChangeMessage } from "./change-event.ts";
import { MemoryLog } from "./memory-log.ts";

const tell = (key: ChangeMessage): number | "reset" => (key.kind === "reset" ? "reset" : (key.key as number));

/** Returns the keys that a listener receives if it resumes after the change of `key`, out of `count` changes. */
function resumed(keep: number, count: number, key: number): readonly (number | "reset")[] {
  const log = new MemoryLog({ keep });
  const ids: string[] = [];
  log.subscribe("book", { next: ({ id }) => ids.push(id) });
  for (let n = 1; n <= count; n++) log.append([{ resource: "book", kind: "created", key: n, after: { id: n } }]);
  const heard: (number | "reset")[] = [];
  log.subscribe("book", { next: (message) => heard.push(tell(message)) }, ids[key - 1]);
  return heard;
}

test.each([
  ["the kept changes since then", 3, 5, 2, [3, 4, 5]],
  ["nothing after the last change", 3, 5, 5, []],
  ["a reset if changes are lost", 3, 5, 1, ["reset"]],
  ["the same after old changes were dropped many times", 3, 100, 98, [99, 100]],
  ["all changes if none were dropped", 3, 3, 1, [2, 3]],
  ["a reset if no changes are kept", 0, 2, 1, ["reset"]],
  ["nothing after the last change, even if none are kept", 0, 2, 2, []],
])("sends a resumed subscriber %s", (_what, keep, count, key, expected) => {
  expect(resumed(keep, count, key)).toEqual(expected);
});

test("each resource has its own log", () => {
  const log = new MemoryLog({ keep: 1 });
  const ids: string[] = [];
  log.subscribe("author", { next: ({ id }) => ids.push(id) });
  log.append([{ resource: "author", kind: "created", key: 1 }]);
  log.append([{ resource: "author", kind: "created", key: 2 }]);
  log.append([1, 2, 3].map((key) => ({ resource: "book", kind: "created", key })));
  const heard: unknown[] = [];
  log.subscribe("author", { next: (message) => heard.push(message) }, ids[0]);
  expect(heard).toMatchObject([{ resource: "author", key: 2, id: ids[1] }]);
});

test("sends a reset only to subscribers that resume before the missed changes", () => {
  const log = new MemoryLog();
  const ids: string[] = [];
  log.subscribe("book", { next: ({ id }) => ids.push(id) });
  log.append([{ resource: "book", kind: "created", key: 1 }]);
  log.reset("book");
  log.append([{ resource: "book", kind: "created", key: 2 }]);
  const heard = ids.map((after) => {
    const own: unknown[] = [];
    log.subscribe("book", { next: (message) => own.push(tell(message)) }, after);
    return own;
  });
  expect(heard).toEqual([["reset"], [2], []]);
});
