import { isBifocalError } from "@bifocal/core";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { expect, test } from "vitest";
import { check, type Counts, type Shares, tooFew } from "../check.ts";
import { createApi, modelCase, worldOf } from "./model-case.ts";
import { requestsOf } from "./requests.ts";

/** Requests of all models. */
const RUNS = Number(process.env["TRANSLATE_RUNS"] ?? 300);
const REQUESTS_PER_MODEL = 10;
/** Shares of fewer requests would depend on chance. */
const ENOUGH = 20;

/**
 * The least shares. REST can't express what only documents can: aliases and the last rows. GraphQL can't express creates
 * inside a row, streams of all changes, and with global ids some filters. The client can't count or group related rows.
 */
const LEAST: Shares = {
  get: [0.8, 0.8, 0.4],
  list: [0.6, 0.8, 0.4],
  aggregate: [1, 0.6, 1],
  query: [1, 1, 1],
  create: [1, 0.2, 0.1],
  createMany: [1, 0.6, 1],
  replace: [1, 0.5, 0.3],
  update: [1, 0.6, 0.3],
  updateMany: [1, 0.5, 1],
  delete: [1, 1, 1],
  deleteMany: [1, 0.5, 1],
  link: [1, 1, 1],
  unlink: [1, 1, 1],
  act: [1, 0.8, 0.5],
  watch: [0.3, 0.1, 1],
};

/** Each run has its own generator, because a generator keeps the arguments of all draws, which here contain whole APIs. */
const modelAndDraw = modelCase.chain((one) => fc.tuple(fc.constant(one), fc.gen()));

test("a translated request means the same in each style, over random models", async () => {
  const counts: Counts = new Map();
  const rejected: string[] = [];
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(modelAndDraw, async ([one, draw]) => {
      const api = createApi(one);
      const world = worldOf(api, one);
      for (let n = 0; n < REQUESTS_PER_MODEL; n++) {
        const name = draw(() => fc.constantFrom(...one.plan.resources.map((own) => own.name)));
        const source = draw(requestsOf, world, one.plan, name);
        asked += 1;
        try {
          await api.translate(source);
        } catch (thrown) {
          if (!isBifocalError(thrown)) throw thrown;
          rejected.push(thrown.message);
          continue;
        }
        await check(api, source, counts);
      }
      await api.close();
    }),
    // Models are large, and shrinking them takes too long.
    { numRuns: Math.ceil(RUNS / REQUESTS_PER_MODEL), seed: drawSeed("TRANSLATE_SEED"), endOnFailure: true },
  );
  if (process.env["TRANSLATE_RUNS"] !== undefined) console.table(Object.fromEntries(counts));
  expect(rejected.length / asked > 0.02 ? rejected : []).toEqual([]);
  expect([...counts.keys()].filter((kind) => !Object.hasOwn(LEAST, kind))).toEqual([]);
  const known = new Map([...counts].filter(([, entry]) => entry.asked >= ENOUGH));
  const least = Object.fromEntries(Object.entries(LEAST).filter(([kind]) => known.has(kind) || RUNS > 2_000));
  expect(tooFew(known, least)).toEqual([]);
}, 3_600_000);
