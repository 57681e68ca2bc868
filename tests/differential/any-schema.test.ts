import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { parse, specifiedRules, validate } from "graphql";
import { expect, test } from "vitest";
import { CALLERS } from "../equivalence/library.ts";
import { askGraphqlJs, comparable, toAnswer } from "./answer.ts";
import { anyDocuments } from "./any-document.ts";
import { createApi, schemaPlans } from "./any-schema.ts";
import { ask } from "./ask.ts";

/** Documents in all schemas together. */
const RUNS = Number(process.env["DIFFERENTIAL_RUNS"] ?? 300);
const PER_SCHEMA = 6;
const MIN_SHARES = { valid: 0.95, withoutErrors: 0.25, interfaces: 0.05, unions: 0.15, hosts: 0.05 };

const cases = schemaPlans.chain((plan) => {
  const api = createApi(plan);
  const queries = fc.array(anyDocuments(api.graphql.schema), { minLength: PER_SCHEMA, maxLength: PER_SCHEMA });
  return fc.record({ plan: fc.constant(plan), queries, caller: fc.constantFrom(...CALLERS) });
});

test("responses to documents over generated schemas equal those of graphql-js", async () => {
  const counts = { all: 0, valid: 0, withoutErrors: 0, interfaces: 0, unions: 0, hosts: 0 };
  await fc.assert(
    fc.asyncProperty(cases, async ({ plan, queries, caller: { principal } }) => {
      const api = createApi(plan);
      const { schema } = api.graphql;
      for (const query of queries) {
        counts.all += 1;
        if (validate(schema, parse(query), specifiedRules).length > 0) continue;
        counts.valid += 1;
        const answer = toAnswer(await ask(api, { query, variables: {} }, principal));
        const expected = await askGraphqlJs(api, { query, variables: {} }, principal);
        expect({ query, ...comparable(answer, expected) }).toEqual({ query, ...expected });
        if (answer.errors.length === 0) counts.withoutErrors += 1;
        if (/"Labelled_label__?":/.test(answer.data)) counts.interfaces += 1;
        if (/"(DrawnSquare|DrawnCircle|Plain)_/.test(answer.data)) counts.unions += 1;
        if (/_host__?":/.test(answer.data)) counts.hosts += 1;
      }
      await api.close();
    }),
    { numRuns: Math.ceil(RUNS / PER_SCHEMA), seed: drawSeed("DIFFERENTIAL_SEED") },
  );
  // Shares of all documents that must be valid, succeed, and select of each kind.
  const { all, ...others } = counts;
  const shares = Object.fromEntries(Object.entries(others).map(([kind, count]) => [kind, count / all]));
  const tooFew = Object.entries(MIN_SHARES).filter(([kind, least]) => !((shares[kind] ?? 0) >= least));
  expect({ tooFew, shares }).toEqual({ tooFew: [], shares });
}, 3_600_000);
