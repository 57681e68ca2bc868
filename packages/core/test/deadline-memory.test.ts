import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createDeadlines } from "../src/engine/deadline.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

test("an operation's deadline doesn't keep its result", async () => {
  const deadline = createDeadlines(60_000)({ principal: null, signal: undefined, requestId: () => "a" });
  const kept = await (async () => {
    const result = await deadline.limit(Promise.resolve({ rows: [1, 2, 3] }));
    return new WeakRef(result);
  })();
  await new Promise((resolve) => setTimeout(resolve, 10));
  collect();
  expect(kept.deref()).toBeUndefined();
  expect(deadline.isOver).toBe(false);
});
