import { expect, test } from "vitest";
import fc from "fast-check";
import { askGraphql, askRest, rowsBefore } from "./ask.ts";
import { CALLERS, createLibrary } from "./library.ts";
import { question } from "./question.ts";

const { api } = createLibrary();
const RUNS = Number(process.env["EQUIVALENCE_RUNS"] ?? 300);

test.each(CALLERS)(
  "a URL and a document that mean the same are the same operation for $name",
  async ({ principal }) => {
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const rest = await askRest(api, principal, asked);
        const graphql = await askGraphql(api, principal, asked);
        expect(rest.operations).not.toBe("");
        expect(graphql.operations).toBe(rest.operations);
        // What may not be read refuses the whole URL that names it; in a document it is null beside an error in each
        // row that it would stand in, so without such a row there is nothing to say.
        const isSilent = rest.denied !== undefined && graphql.codes.length === 0;
        expect(isSilent ? rowsBefore(graphql.data, rest.denied ?? "") : graphql.codes).toEqual(
          isSilent ? [] : rest.codes,
        );
        expect(rest.codes.length === 0 ? graphql.data : null).toEqual(rest.data);
      }),
      { numRuns: RUNS },
    );
  },
);
