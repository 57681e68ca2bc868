import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CALLERS, createLibrary } from "../equivalence/library.ts";
import { askGraphqlJs, comparable, toAnswer } from "./answer.ts";
import { ask } from "./ask.ts";
import { documents } from "./document.ts";

const { api } = createLibrary();
const RUNS = Number(process.env["DIFFERENTIAL_RUNS"] ?? 8_000);

/** Other root fields beside the derived ones. */
const BESIDES = ["", "", "", "__typename", '__type(name: "Book") { name }', "kind: __typename @skip(if: true)"];

for (const { name, principal } of CALLERS) {
  test(`a plan returns the same response as graphql-js with the same resolvers, for ${name}`, async () => {
    let failed = 0;
    await fc.assert(
      fc.asyncProperty(documents(api.graphql.schema), fc.constantFrom(...BESIDES), async (asked, besides) => {
        const query = asked.query.replace(/\{/, `{ ${besides} `);
        const answer = toAnswer(await ask(api, { ...asked, query }, principal));
        if (answer.errors.length > 0) failed += 1;
        const expected = await askGraphqlJs(api, { ...asked, query }, principal);
        expect({ query, ...comparable(answer, expected) }).toEqual({ query, ...expected });
      }),
      { numRuns: Math.ceil(RUNS / CALLERS.length), endOnFailure: true, seed: drawSeed("DIFFERENTIAL_SEED") },
    );
    // Errors must be equal too.
    expect(failed).toBeGreaterThan(name === "admin" ? -1 : RUNS / CALLERS.length / 50);
  }, 3_600_000);
}
