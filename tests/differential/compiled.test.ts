import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { graphql, type GraphQLError } from "graphql";
import { expect, test } from "vitest";
import { CALLERS, createLibrary } from "../equivalence/library.ts";
import { ask } from "./ask.ts";
import { type Asked, documents } from "./document.ts";

const { api } = createLibrary();
const RUNS = Number(process.env["DIFFERENTIAL_RUNS"] ?? 8_000);

interface Answer {
  readonly data: string;
  readonly errors: readonly string[];
}

/** The text where all went well; errors of fields that run at the same time come in any order. */
function toAnswer(text: string): Answer {
  const { data, errors = [] } = JSON.parse(text) as { readonly data: unknown; readonly errors?: readonly object[] };
  if (errors.length === 0) return { data: text, errors: [] };
  return { data: JSON.stringify(data), errors: errors.map((error) => JSON.stringify(error)).toSorted() };
}

function withCode(error: GraphQLError): object {
  const { extensions, ...rest } = error.toJSON();
  return { ...rest, extensions: { code: "INTERNAL", ...extensions } };
}

async function askGraphqlJs({ query, variables }: Asked, principal: (typeof CALLERS)[number]["principal"]) {
  const contextValue = api.graphql.context(principal);
  const result = await graphql({ schema: api.graphql.schema, source: query, variableValues: variables, contextValue });
  const errors = result.errors?.map(withCode);
  return toAnswer(JSON.stringify({ ...(errors === undefined ? {} : { errors }), data: result.data }));
}

/** What a root may have besides derived fields. */
const BESIDES = ["", "", "", "__typename", '__type(name: "Book") { name }', "kind: __typename @skip(if: true)"];

for (const { name, principal } of CALLERS) {
  test(`a plan answers as graphql-js does by the same resolvers, for ${name}`, async () => {
    let failed = 0;
    await fc.assert(
      fc.asyncProperty(documents(api.graphql.schema), fc.constantFrom(...BESIDES), async (asked, besides) => {
        const query = asked.query.replace(/\{/, `{ ${besides} `);
        const answer = toAnswer(await ask(api, { ...asked, query }, principal));
        if (answer.errors.length > 0) failed += 1;
        const expected = await askGraphqlJs({ ...asked, query }, principal);
        // Where an error leaves no data, graphql-js tells those that it had met by then; a plan tells them all.
        const told =
          expected.data === "null" ? answer.errors.filter((one) => expected.errors.includes(one)) : answer.errors;
        expect({ query, ...answer, errors: told }).toEqual({ query, ...expected });
      }),
      { numRuns: Math.ceil(RUNS / CALLERS.length), endOnFailure: true, seed: drawSeed("DIFFERENTIAL_SEED") },
    );
    // Errors are half of what there is to agree on.
    expect(failed).toBeGreaterThan(name === "admin" ? -1 : RUNS / CALLERS.length / 50);
  }, 300_000);
}
