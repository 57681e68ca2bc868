import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { type DocumentNode, type GraphQLError, parse, specifiedRules, validate } from "graphql";
import { expect, test } from "vitest";
import { createLibrary } from "../equivalence/library.ts";
import { ask } from "./ask.ts";
import { documents } from "./document.ts";
import { mutated } from "./mutations.ts";

const { api } = createLibrary();
const { schema } = api.graphql;
const RUNS = Number(process.env["DIFFERENTIAL_RUNS"] ?? 12_000);

function parsed(text: string): DocumentNode | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** The message and locations of an error. Without a suggestion of its own, graphql-js doesn't look into `nodes`. */
function toWords({ message, locations }: Pick<GraphQLError, "message" | "locations">): string {
  return JSON.stringify({ message: message.replace(/ Did you mean "nodes \{ \w+ \}"\?$/, ""), locations });
}

test("rejects documents that graphql-js rejects, with the same messages", async () => {
  const seen = { unparsable: 0, invalid: 0, valid: 0 };
  const changed = mutated(
    schema,
    documents(schema).map(({ query }) => query),
  );
  await fc.assert(
    fc.asyncProperty(changed, async (query) => {
      const document = parsed(query);
      const errors = document === undefined ? [] : validate(schema, document, specifiedRules, { maxErrors: 10 });
      seen[document === undefined ? "unparsable" : errors.length === 0 ? "valid" : "invalid"] += 1;
      if (errors.length === 0) return;
      const told = JSON.parse(await ask(api, { query, variables: {} }, null)) as Record<string, GraphQLError[]>;
      expect({ query, keys: Object.keys(told), errors: told["errors"]?.map(toWords) }).toEqual({
        query,
        keys: ["errors"],
        errors: errors.map(toWords),
      });
    }),
    { numRuns: RUNS, endOnFailure: true, seed: drawSeed("DIFFERENTIAL_SEED") },
  );
  // A generator with only valid or only invalid documents would prove nothing.
  expect(seen.invalid).toBeGreaterThan(RUNS / 6);
  expect(seen.valid).toBeGreaterThan(RUNS / 100);
}, 3_600_000);
