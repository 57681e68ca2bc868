import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CALLERS, createLibrary } from "../equivalence/library.ts";
import { ask } from "./ask.ts";
import { documents } from "./document.ts";
import { askInParts, choices, inParts, merge, type Payload } from "./parts.ts";

const { api } = createLibrary({ incremental: true });
const RUNS = Number(process.env["DIFFERENTIAL_RUNS"] ?? 2_400);

const FORMATS = { "v0.2": "multipart/mixed; incrementalSpec=v0.2", "20220824": "multipart/mixed; deferSpec=20220824" };

function sorted(errors: readonly object[]): readonly string[] {
  // Locations refer to the changed text. In the older format, a field can be in the first part and a later one.
  return [...new Set(errors.map((error) => JSON.stringify({ ...error, locations: [] })))].toSorted();
}

/** Two streamed lists with the same key are invalid. The generator cannot avoid them. */
function isOverlap([first]: readonly Payload[]): boolean {
  return JSON.stringify(first?.errors ?? []).includes("overlapping stream");
}

/** Drawn arguments of aggregates can sort by a value that the rows aren't grouped by, or group twice by the same one. */
function isRefused({ data, errors = [] }: Payload): boolean {
  return data === null || /"(not_readable|not_grouped|repeated)"/.test(JSON.stringify(errors));
}

for (const { name, principal } of CALLERS) {
  test.each(Object.entries(FORMATS))(
    `parts merge to the complete result, for ${name}, as %s`,
    async (_, accept) => {
      let delivered = 0;
      await fc.assert(
        fc.asyncProperty(documents(api.graphql.schema), choices, async ({ query, variables }, chosen) => {
          const whole = JSON.parse(await ask(api, { query, variables }, principal)) as Payload;
          let parts = inParts(query, chosen, true);
          let payloads = await askInParts(api, { query: parts, variables }, principal, accept);
          if (isOverlap(payloads)) {
            parts = inParts(query, chosen, false);
            payloads = await askInParts(api, { query: parts, variables }, principal, accept);
          }
          expect(payloads.at(-1)?.hasNext ?? false).toBe(false);
          // An error that rejects a whole read rejects only its own part, and only if there is a row to read it for. If the
          // row becomes null, other parts of it have no place to be merged.
          if (isRefused(whole)) return;
          const { data, errors } = merge(payloads);
          const found = { data, errors: sorted(errors) };
          expect({ parts, found }).toEqual({ parts, found: { data: whole.data, errors: sorted(whole.errors ?? []) } });
          if (payloads.length > 1) delivered += 1;
        }),
        { numRuns: Math.ceil(RUNS / CALLERS.length / 2), timeout: 10_000, seed: drawSeed("DIFFERENTIAL_SEED") },
      );
      expect(delivered).toBeGreaterThan(RUNS / CALLERS.length / 2 / 4);
    },
    3_600_000,
  );
}
