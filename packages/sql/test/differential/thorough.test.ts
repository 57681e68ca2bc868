import { memoryStore } from "@bifocal/core";
import type { Filter, ListQuery, Model, ResourceModel, Store } from "@bifocal/core/store";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sqlStore } from "../../src/index.ts";
import { openSource, openStore } from "../../src/opened.ts";
import type { StoreHandle } from "../../src/operations/ask.ts";
import { list } from "../../src/operations/read.ts";
import { isAlongRelations } from "../../src/statement/filter.ts";
import type { World } from "./field-filter.ts";
import { filterOf } from "./filter.ts";
import { createModel, fieldsOf, type ModelPlan, modelPlan, type ResourcePlan } from "./model.ts";
import { runStep } from "./run-step.ts";
import { fillOf, type Step } from "./steps.ts";

const RUNS = Number(process.env["STORE_RUNS"] ?? 40);
const FILTERS = 12;
const ALWAYS: Filter = { kind: "constant", value: true };
const CONTEXT = { signal: undefined };

let database: TestDatabase | undefined;
beforeAll(async () => {
  database = await servers.find(({ name }) => name === "sqlite")?.create();
});
afterAll(() => database?.drop());

function worldOf(model: Model, plan: ModelPlan): World {
  const planned = new Map(plan.resources.map((own) => [own.name, fieldsOf(plan, own)]));
  return {
    resource: (name) => model.resources.get(name) as ResourceModel,
    fields: (name) => planned.get(name) ?? [],
  };
}

const cases = modelPlan.chain((plan) => {
  const world = worldOf(createModel(plan), plan);
  const names = plan.resources.map(({ name }) => name);
  const rows = fc.tuple(...names.map((name) => fillOf(world, name))).map((all) => all.flat());
  const filters = fc.constantFrom(...names).chain((name) => fc.tuple(fc.constant(name), filterOf(world, name, 3)));
  return fc.record({
    plan: fc.constant(plan),
    rows,
    filters: fc.array(filters, { minLength: FILTERS, maxLength: FILTERS }),
  });
});

interface Case {
  readonly plan: ModelPlan;
  readonly rows: readonly Step[];
  readonly filters: readonly (readonly [resource: string, filter: Filter])[];
}

/** Compares SQLite's statements for long reads with `memoryStore`. Returns how many rows each filter found. */
async function compare({ plan, rows, filters }: Case): Promise<readonly number[]> {
  const url = database?.url as string;
  await database?.clear();
  const model = createModel(plan);
  const resources = [...model.resources.values()];
  const memory: Store = memoryStore();
  const store = sqlStore({ url, foreignKeys: false });
  for (const own of [memory, store]) {
    await own.open(model, resources);
    for (const row of rows) await runStep(own, model, row);
  }
  await store.close?.();
  const source = await openSource({ url });
  const opened = await openStore(source, { url }, model, resources);
  const { thorough } = opened.dialect;
  if (thorough === undefined) throw new Error("SQLite has no other statements.");
  const handle: StoreHandle = { ...opened, dialect: thorough, connection: source.database, isWithin: false };
  const counts: number[] = [];
  try {
    for (const [name, filter] of filters) {
      const resource = model.resources.get(name) as ResourceModel;
      const sort = resource.key.map((field) => ({ path: [field] as const, descending: false }));
      const query: ListQuery = { resource, filter, sort, limit: 1_000, count: true };
      const expected = await memory.list(query, CONTEXT);
      const found = await list(handle, query, CONTEXT);
      expect({ rows: found.rows, total: found.total }).toEqual({ rows: expected.rows, total: expected.total });
      counts.push(expected.rows.length);
    }
  } finally {
    await source.database.close();
  }
  return counts;
}

test(
  "SQLite finds the same rows with the statements for long reads",
  async () => {
    let [some, none] = [0, 0];
    const property = fc.asyncProperty(cases, async (drawn) => {
      const counts = await compare(drawn);
      for (const [at, [, filter]] of drawn.filters.entries()) {
        if (!isAlongRelations(filter)) continue;
        if ((counts[at] as number) > 0) some++;
        else none++;
      }
    });
    await fc.assert(property, { numRuns: RUNS, seed: drawSeed("STORE_SEED") });
    expect(some).toBeGreaterThan(RUNS);
    expect(none).toBeGreaterThan(RUNS / 4);
  },
  20_000 + RUNS * 2_000,
);

test("the statements for long reads find rows without related rows, even if a reference is null", async () => {
  const pointsAt = [{ to: 0, nullable: true, isOne: false, group: 0 }];
  const order = { name: "order", key: ["int32"], fields: [], unique: [], hasVersion: false, pointsAt, linkedTo: [] };
  const rows = [
    { id: 1, ref0Id: null },
    { id: 2, ref0Id: 2 },
  ].map((row): Step => ({ kind: "insert", of: "order", rows: [row] }));
  const filters = (["none", "every", "some"] as const).map(
    (quantifier) => ["order", { kind: "related", relation: "orderBy0", quantifier, filter: ALWAYS }] as const,
  );
  expect(await compare({ plan: { resources: [order as ResourcePlan] }, rows, filters })).toEqual([1, 2, 1]);
});
