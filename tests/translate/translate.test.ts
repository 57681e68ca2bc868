import { memoryStore } from "@bifocal/core";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aggregateQuestion, groupsDocument, groupsUrl } from "../equivalence/aggregate-question.ts";
import { asGraphql } from "../equivalence/as-graphql.ts";
import { asRest } from "../equivalence/as-rest.ts";
import { createLibrary } from "../equivalence/library.ts";
import { question } from "../equivalence/question.ts";
import { createShop } from "../equivalence/writes/shop.ts";
import { steps } from "../equivalence/writes/step.ts";
import { requestOf } from "../equivalence/writes/write-rest.ts";
import { eventSource } from "./event-source.ts";
import { check, type Counts, tooFew } from "./check.ts";

/** Requests of each kind of test. */
const RUNS = Number(process.env["TRANSLATE_RUNS"] ?? 300);

test("a translated read means the same in each style", async () => {
  const { api } = createLibrary({ sales: true, store: memoryStore() });
  const counts: Counts = new Map();
  await fc.assert(
    fc.asyncProperty(question, fc.boolean(), async (asked, isRest) => {
      const { path, query } = asRest(asked);
      await check(api, isRest ? `GET ${path}?${query}` : asGraphql(asked), counts);
    }),
    { numRuns: RUNS, seed: drawSeed("TRANSLATE_SEED") },
  );
  // The client can't count related rows, which a third of the requests do.
  expect(tooFew(counts, { get: [1, 1, 0.3], list: [1, 1, 0.3] })).toEqual([]);
  await api.close();
}, 3_600_000);

test("translated groups mean the same in each style", async () => {
  const { api } = createLibrary({ sales: true, store: memoryStore() });
  const counts: Counts = new Map();
  await fc.assert(
    fc.asyncProperty(aggregateQuestion, fc.boolean(), async (asked, isRest) => {
      await check(api, isRest ? `GET ${groupsUrl(asked)}` : groupsDocument(asked), counts);
    }),
    { numRuns: RUNS, seed: drawSeed("TRANSLATE_SEED") },
  );
  // Only REST and GraphQL have pages of the groups that are related to one row.
  expect(tooFew(counts, { get: [1, 1, 0], aggregate: [1, 1, 1] })).toEqual([]);
  await api.close();
}, 3_600_000);

test("a translated write means the same in each style", async () => {
  const { api } = createShop(memoryStore(), undefined);
  const counts: Counts = new Map();
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      for (const step of sequence) {
        const { path, query, ...parts } = requestOf(step);
        const url = query === undefined ? path : `${path}?${query}`;
        await check(api, { ...parts, url }, counts);
      }
    }),
    { numRuns: Math.ceil(RUNS / 10), seed: drawSeed("TRANSLATE_SEED") },
  );
  expect(
    tooFew(counts, {
      create: [1, 1, 1],
      createMany: [1, 1, 1],
      replace: [1, 1, 0.5],
      update: [1, 1, 1],
      updateMany: [1, 1, 1],
      delete: [1, 1, 1],
      deleteMany: [1, 1, 1],
      link: [1, 1, 1],
      unlink: [1, 1, 1],
      act: [1, 1, 1],
    }),
  ).toEqual([]);
  await api.close();
}, 3_600_000);

test("a translated subscription means the same in each style", async () => {
  const { api } = createLibrary({ sales: true, store: memoryStore() });
  const counts: Counts = new Map();
  await fc.assert(
    fc.asyncProperty(eventSource, async (source) => check(api, source, counts)),
    { numRuns: RUNS, seed: drawSeed("TRANSLATE_SEED") },
  );
  // REST has only streams with all kinds of changes.
  expect(tooFew(counts, { watch: [0.3, 1, 1] })).toEqual([]);
  await api.close();
}, 3_600_000);
