import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ACCEPTED, REFUSED } from "./requests.ts";
import { type OpenWorld, WORLDS } from "./world.ts";

const BOOKS = 200;
/** A list and the rows of a relation. */
const MAX_READS_PER_LIST = 2;

/** The response of each read on the first store. All other stores must return the same. */
const answers = new Map<string, string>();

describe.each(WORLDS)("over $name", ({ missing, open }) => {
  describe.skipIf(missing !== undefined)("requests at the limits", () => {
    let world: OpenWorld;
    let left: number;
    beforeAll(async () => {
      world = await open(BOOKS);
      left = (await world.send({ method: "GET", url: "/tags/1" })).remaining;
    }, 60_000);
    afterAll(() => world?.close());

    test.each(ACCEPTED)("$name costs $points", async ({ name, points, ask, isWrite, lists = 1 }) => {
      world.calls.length = 0;
      const { status, text, remaining } = await world.send(ask(0));
      const spent = left - remaining;
      left = remaining;
      expect({ status, text }).toEqual({ status: 200, text: expect.not.stringContaining('"errors"') });
      expect(spent).toBe(points);
      if (isWrite === true) return;
      expect(world.calls.length).toBeLessThanOrEqual(lists * MAX_READS_PER_LIST);
      if (!answers.has(name)) answers.set(name, text);
      expect(text).toBe(answers.get(name));
    });

    test.each(REFUSED)("$name: rejected without a call to the store", async ({ code, ask }) => {
      world.calls.length = 0;
      const { text } = await world.send(ask(0));
      expect(text).toContain(`"code":"${code}"`);
      expect(text).toContain("BAD_REQUEST");
      expect(world.calls).toEqual([]);
    });
  });
});
