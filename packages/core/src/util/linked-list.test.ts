import fc from "fast-check";
import { expect, test } from "vitest";
import { LinkedList, type Link } from "./linked-list.ts";

test("a chain has the same content and order as a set", () => {
  // A number adds itself, or removes the entry at that index of all added entries.
  const steps = fc.array(fc.record({ isAdded: fc.boolean(), number: fc.nat(20) }));
  fc.assert(
    fc.property(steps, (given) => {
      const chain = new LinkedList<object>();
      const set = new Set<object>();
      const links: Link<object>[] = [];
      for (const { isAdded, number } of given) {
        const link = links[number];
        if (isAdded) {
          const value = { number };
          links.push(chain.add(value));
          set.add(value);
        } else if (link !== undefined) {
          chain.remove(link);
          set.delete(link.value);
        }
        expect(chain.size).toBe(set.size);
        expect(chain.first).toBe([...set][0]);
        expect(chain.values()).toEqual([...set]);
      }
    }),
  );
});
