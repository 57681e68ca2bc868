import { memoryStore } from "@bifocal/core";
import type { Model, ResourceModel, Store } from "@bifocal/core/store";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlStore } from "../../src/index.ts";
import type { TestDatabase } from "@bifocal/test-servers";
import { hosts } from "../hosted/hosts.ts";
import { createModel, fieldsOf, type ModelPlan, modelPlan } from "./model.ts";
import { runStep, type Said } from "./run-step.ts";
import { fillOf, type Step, stepsOf } from "./steps.ts";
import type { World } from "./field-filter.ts";

/** `npm run verify:stores` sets more runs. A failure prints the settings that repeat it. */
const RUNS = Number(process.env["STORE_RUNS"] ?? 40);

function worldOf(model: Model, plan: ModelPlan): World {
  const planned = new Map(plan.resources.map((own) => [own.name, fieldsOf(plan, own)]));
  return {
    resource: (name) => model.resources.get(name) as ResourceModel,
    fields: (name) => planned.get(name) ?? [],
  };
}

interface Case {
  readonly plan: ModelPlan;
  /** Runs before the steps. Rows that violate a constraint are skipped. */
  readonly rows: readonly Step[];
  readonly steps: readonly Step[];
}

const cases: fc.Arbitrary<Case> = modelPlan.chain((plan) => {
  const world = worldOf(createModel(plan), plan);
  const names = plan.resources.map(({ name }) => name);
  const rows = fc.tuple(...names.map((name) => fillOf(world, name))).map((all) => all.flat());
  return fc.record({ plan: fc.constant(plan), rows, steps: stepsOf(world, names) });
});

async function open(store: Store, model: Model): Promise<Store> {
  await store.open(model, [...model.resources.values()]);
  return store;
}

/**
 * Databases check unique groups in different orders. If a row violates several groups, the error may name any of them.
 */
function anyGroup(said: Said): Said {
  return typeof said === "object" && said !== null && "conflict" in said ? "conflict" : said;
}

/** SQLite can't compare sums beyond 64 bits. */
function isOverflow(said: Said): boolean {
  return JSON.stringify(said)?.includes("exceeds 64 bits") ?? false;
}

/** The store's own pool, and a pool of the application, whose driver parses values differently. */
const WAYS = hosts.flatMap(({ name, server, dialect }) => [
  { name, server, share: 1, source: (url: string) => ({ url, max: 2 }) },
  {
    name: `${name} by the application's Kysely`,
    server,
    share: 4,
    source: (url: string) => ({ dialect: dialect(url) }),
  },
]);

describe.each(WAYS)("$name", ({ server: { missing, create }, share, source }) => {
  const runs = Math.ceil(RUNS / share);
  let database: TestDatabase;
  beforeAll(async () => {
    if (missing === undefined) database = await create();
  });
  afterAll(() => database?.drop());

  test.skipIf(missing !== undefined)(
    `gives the same results as memoryStore for any calls, over ${runs} models`,
    async () => {
      const property = fc.asyncProperty(cases, async ({ plan, rows, steps }) => {
        await database.clear();
        const model = createModel(plan);
        const memory = await open(memoryStore(), model);
        const store = await open(sqlStore({ ...source(database.url), autoCreate: true, foreignKeys: false }), model);
        try {
          for (const step of [...rows, ...steps]) {
            const expected = await runStep(memory, model, step);
            const said = await runStep(store, model, step);
            if (isOverflow(said)) continue;
            expect(anyGroup(said), `\n${JSON.stringify(step)}`).toEqual(anyGroup(expected));
          }
        } finally {
          await store.close?.();
        }
      });
      await fc.assert(property, {
        numRuns: runs,
        seed: drawSeed("STORE_SEED"),
        endOnFailure: process.env["STORE_SHRINK"] === "no",
      });
    },
    20_000 + RUNS * 2_000,
  );
});
