import { isBifocalError, type Principal } from "@bifocal/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LENSES, type Served, serveLibrary, STORES } from "./hosts.ts";
import { ANN } from "./library.ts";
import { CASES } from "./cases.ts";

/** What a case can observe of an error. The paths of issues differ between styles. */
function describeError(thrown: unknown): unknown {
  if (!isBifocalError(thrown)) throw thrown;
  return { error: thrown.code };
}

async function outcomeOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (thrown) {
    return describeError(thrown);
  }
}

for (const kind of STORES) {
  describe.skipIf(kind.missing !== undefined)(`on ${kind.name}`, () => {
    const served = new Map<string, Served>();
    beforeAll(async () => {
      for (const name of ["local", ...Object.keys(LENSES)]) served.set(name, await serveLibrary(kind));
    });
    afterAll(async () => {
      for (const one of served.values()) await one.close();
    });

    for (const [title, { as = ANN, run }] of Object.entries(CASES)) {
      test.for([title])("%s", async () => {
        const principal: Principal | null = as;
        const expected = await outcomeOf(() => run((served.get("local") as Served).api.as(principal)));
        for (const [name, lens] of Object.entries(LENSES)) {
          const client = (served.get(name) as Served).connect(lens(), principal);
          expect([name, await outcomeOf(() => run(client as never))]).toEqual([name, expected]);
        }
        expect(expected).toMatchSnapshot();
      });
    }
  });
}
