import fc from "fast-check";
import { expect, test } from "vitest";
import { RoundRobin } from "./round-robin.ts";

function filled(text: string): RoundRobin<string> {
  const line = new RoundRobin<string>();
  for (const item of text.split(" ")) line.add(item[0] as string, item);
  return line;
}
function drained(line: RoundRobin<string>, mayTake?: (caller: string) => boolean): string {
  const taken: string[] = [];
  for (let item = line.take(mayTake); item !== undefined; item = line.take(mayTake)) taken.push(item);
  return taken.join(" ");
}

test.each([
  ["a1 a2 a3 a4 b1", "a1 b1 a2 a3 a4"],
  ["a1 a2 b1 b2 c1", "a1 b1 c1 a2 b2"],
  ["a1 b1 a2 c1 a3 b2", "a1 b1 c1 a2 b2 a3"],
])("takes %s as %s", (text, order) => {
  expect(drained(filled(text))).toBe(order);
});

test("moves a caller that had a turn behind the others", () => {
  const line = filled("a1 a2 b1");
  expect(line.take()).toBe("a1");
  line.add("c", "c1");
  expect(drained(line)).toBe("b1 a2 c1");
});

test("skips callers that are not ready, and keeps their turn", () => {
  const line = filled("a1 a2 b1 c1");
  expect(drained(line, (caller) => caller !== "a")).toBe("b1 c1");
  expect([line.size, line.countOf("a"), line.oldestOf("a")]).toEqual([2, 2, "a1"]);
  expect(drained(line)).toBe("a1 a2");
});

test("drops the newest item of the caller with the most", () => {
  const line = filled("b1 a1 a2 a3");
  expect([line.dropFromLongest(), line.dropFromLongest(), line.size]).toEqual(["a3", "a2", 2]);
  expect(drained(line)).toBe("b1 a1");
  expect([line.dropFromLongest(), line.take(), line.size]).toEqual([undefined, undefined, 0]);
});

test("lets no caller wait for more than one turn of each other caller", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 60 }), (callers) => {
      const line = new RoundRobin<string>();
      for (const caller of callers) line.add(caller, caller);
      const order: string[] = [];
      for (let item = line.take(); item !== undefined; item = line.take()) order.push(item);
      expect(order.toSorted()).toEqual(callers.toSorted());
      for (const caller of new Set(callers)) {
        // Between two turns of a caller, each other caller has at most one turn.
        let since = new Set<string>();
        let isFair = true;
        for (const next of order.slice(0, order.lastIndexOf(caller) + 1)) {
          if (next === caller) since = new Set();
          else {
            isFair &&= !since.has(next);
            since.add(next);
          }
        }
        expect(isFair).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});
