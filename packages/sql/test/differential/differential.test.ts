import { memoryStore } from "@bifocal/core";
import type { Model, ResourceModel, Store } from "@bifocal/core/store";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlStore } from "../../src/index.ts";
import type { TestDatabase } from "@bifocal/test-servers";
import { hosts } from "../hosted/hosts.ts";
import { type Counts, countStep } from "./counts.ts";
import { conventionalModelPlan, createModel, fieldsOf, type ModelPlan } from "./model.ts";
import { runStep, type Said } from "./run-step.ts";
import { fillOf, type Step, stepsOf } from "./steps.ts";
import type { World } from "./field-filter.ts";

/** `npm run verify:stores` sets more runs. A failure prints the settings that repeat it. */
const RUNS = Number(process.env["STORE_RUNS"] ?? 24);

function worldOf(model: Model, plan: ModelPlan): World {
  const planned = new Map(plan.resources.map((own) => [own.name, fieldsOf(plan, own)]));
  return {
    resource: (name) => model.resources.get(name) as ResourceModel,
    fields: (name) => planned.get(name) ?? [],
    hasSearches: true,
  };
}

interface Case {
  readonly plan: ModelPlan;
  /** Runs before the steps. Rows that violate a constraint are skipped. */
  readonly rows: readonly Step[];
  readonly steps: readonly Step[];
}

const casesOf = (plans: fc.Arbitrary<ModelPlan>): fc.Arbitrary<Case> =>
  plans.chain((plan) => {
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

/** SQLite only searches by the store's own connection. */
function withoutSearch({ resources }: ModelPlan): ModelPlan {
  return { resources: resources.map((plan) => ({ ...plan, search: [] })) };
}

/** The store's own pool, and a pool of the application, whose driver parses values differently. */
const WAYS = hosts.flatMap(({ name, server, dialect }) => [
  { name, server, share: 1, source: (url: string) => ({ url, max: 2 }), plans: conventionalModelPlan },
  {
    name: `${name} by the application's Kysely`,
    server,
    share: 4,
    source: (url: string) => ({ dialect: dialect(url) }),
    plans: name === "sqlite" ? conventionalModelPlan.map(withoutSearch) : conventionalModelPlan,
  },
]);

/** Calls that must return something often enough, so that the comparison shows something. */
const LEAST = [
  "aggregate with soft delete",
  "aggregatePer with soft delete",
  "delete",
  "insert, conflict with soft delete",
  "list with soft delete",
  "listPer with soft delete",
  "unlink",
  "update",
  "update with soft delete",
  "update, refused",
];
const SEARCHES = ["list with search", "list by relevance"];

describe.each(WAYS)("$name", ({ name, server: { missing, create }, share, source, plans }) => {
  const runs = Math.ceil(RUNS / share);
  let database: TestDatabase;
  beforeAll(async () => {
    if (missing === undefined) database = await create();
  });
  afterAll(() => database?.drop());

  test.skipIf(missing !== undefined)(
    `gives the same results as memoryStore for any calls, over ${runs} models`,
    async () => {
      const counts: Counts = new Map();
      const property = fc.asyncProperty(casesOf(plans), async ({ plan, rows, steps }) => {
        await database.clear();
        const model = createModel(plan);
        const memory = await open(memoryStore(), model);
        const store = await open(sqlStore({ ...source(database.url), autoCreate: true, foreignKeys: false }), model);
        try {
          for (const step of [...rows, ...steps]) {
            const expected = await runStep(memory, model, step);
            const said = await runStep(store, model, step);
            expect(anyGroup(said), `\n${JSON.stringify(step)}`).toEqual(anyGroup(expected));
            countStep(counts, (name) => model.resources.get(name) as ResourceModel, step, said);
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
      if (process.env["PRINT_COUNTS"] !== undefined)
        console.table(Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1))));
      const expected = name.startsWith("sqlite by") ? LEAST : [...LEAST, ...SEARCHES];
      const few = expected.filter((kind) => (counts.get(kind) ?? 0) < runs / 100);
      expect(runs < 500 ? [] : few).toEqual([]);
    },
    20_000 + RUNS * 2_000,
  );
});
