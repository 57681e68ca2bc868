import { expect, test } from "vitest";
import type { BusMessage } from "./bus.ts";
import { memoryBus } from "./memory-bus.ts";

/** The keys of what a listener hears that resumes after the change of `key`, of `count` changes; `reset` where it is told so. */
function resumed(keep: number, count: number, key: number): readonly (number | "reset")[] {
  const bus = memoryBus({ keep });
  const ids: string[] = [];
  bus.subscribe("book", ({ id }) => ids.push(id));
  for (let n = 1; n <= count; n++) void bus.publish([{ resource: "book", kind: "created", key: n, after: { id: n } }]);
  const heard: (number | "reset")[] = [];
  const listener = (message: BusMessage): void =>
    void heard.push(message.kind === "reset" ? "reset" : (message.key as number));
  bus.subscribe("book", listener, ids[key - 1]);
  return heard;
}

test.each([
  ["what is kept since then", 3, 5, 2, [3, 4, 5]],
  ["nothing after the last", 3, 5, 5, []],
  ["a reset where something is lost", 3, 5, 1, ["reset"]],
  ["the same once what is kept has started over", 3, 100, 98, [99, 100]],
  ["all where nothing was dropped", 3, 3, 1, [2, 3]],
  ["a reset where nothing is kept", 0, 2, 1, ["reset"]],
  ["nothing after the last, kept or not", 0, 2, 2, []],
])("who resumes hears %s", (_what, keep, count, key, expected) => {
  expect(resumed(keep, count, key)).toEqual(expected);
});

test("each resource keeps its own", () => {
  const bus = memoryBus({ keep: 1 });
  const ids: string[] = [];
  bus.subscribe("author", ({ id }) => ids.push(id));
  void bus.publish([{ resource: "author", kind: "created", key: 1 }]);
  void bus.publish([{ resource: "author", kind: "created", key: 2 }]);
  for (const key of [1, 2, 3]) void bus.publish([{ resource: "book", kind: "created", key }]);
  const heard: unknown[] = [];
  bus.subscribe("author", (message) => heard.push(message), ids[0]);
  expect(heard).toMatchObject([{ resource: "author", key: 2, id: ids[1] }]);
});
