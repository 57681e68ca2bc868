import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CALLERS, createLibrary } from "../equivalence/library.ts";
import { ask } from "./ask.ts";
import { documents } from "./document.ts";
import { naiveServer } from "./naive.ts";

const { api, data } = createLibrary();
const RUNS = Number(process.env["DIFFERENTIAL_RUNS"] ?? 400);
// The naive server has no rules and no aggregates.
const ADMIN = CALLERS.find(({ name }) => name === "admin")?.principal ?? null;
const askNaive = naiveServer(api.graphql.schema, data);

test("a response equals that of graphql-js over naive resolvers, byte for byte", async () => {
  let rows = 0;
  await fc.assert(
    fc.asyncProperty(documents(api.graphql.schema, { hasGroups: false }), async ({ query, variables }) => {
      const naive = JSON.stringify(await askNaive(query, variables));
      const ours = await ask(api, { query, variables }, ADMIN);
      expect({ query, answer: ours }).toEqual({ query, answer: naive });
      expect(naive).not.toContain('"errors"');
      rows += naive.length;
    }),
    { numRuns: RUNS, endOnFailure: true, seed: drawSeed("DIFFERENTIAL_SEED") },
  );
  // A generator that only selects missing rows would prove nothing.
  expect(rows / RUNS).toBeGreaterThan(300);
}, 3_600_000);
