import { expect, test } from "vitest";
import fc from "fast-check";
import { askGraphql, askRest } from "./ask.ts";
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
        expect(graphql.codes).toEqual(rest.codes);
        // A field that may not be read refuses the whole URL that names it, and is null beside its error in a document.
        if (rest.codes.length === 0) expect(graphql.data).toEqual(rest.data);
      }),
      { numRuns: RUNS },
    );
  },
);
