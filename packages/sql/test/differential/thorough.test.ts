import { memoryStore } from "@bifocal/core";
import type { ListQuery, Model, ResourceModel, Store } from "@bifocal/core/store";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sqlStore } from "../../src/index.ts";
import { openSource, openStore } from "../../src/opened.ts";
import type { StoreHandle } from "../../src/operations/ask.ts";
import { list } from "../../src/operations/read.ts";
import { isAlongRelations } from "../../src/statement/filter.ts";
import { filterOf, type World } from "./filter.ts";
import { createModel, fieldsOf, type ModelPlan, modelPlan } from "./model.ts";
import { runStep } from "./run-step.ts";
import { fillOf } from "./steps.ts";

const RUNS = Number(process.env["STORE_RUNS"] ?? 40);
const FILTERS = 12;
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

test(
  "SQLite finds the same rows with the statements for long reads",
  async () => {
    const url = database?.url as string;
    let [some, none] = [0, 0];
    const property = fc.asyncProperty(cases, async ({ plan, rows, filters }) => {
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
      try {
        for (const [name, filter] of filters) {
          const resource = model.resources.get(name) as ResourceModel;
          const sort = resource.key.map((field) => ({ path: [field] as const, descending: false }));
          const query: ListQuery = { resource, filter, sort, limit: 1_000, count: true };
          const expected = await memory.list(query, CONTEXT);
          const found = await list(handle, query, CONTEXT);
          expect({ rows: found.rows, total: found.total }).toEqual({ rows: expected.rows, total: expected.total });
          if (!isAlongRelations(filter)) continue;
          if (expected.rows.length > 0) some++;
          else none++;
        }
      } finally {
        await source.database.close();
      }
    });
    await fc.assert(property, { numRuns: RUNS, seed: drawSeed("STORE_SEED") });
    expect(some).toBeGreaterThan(RUNS);
    expect(none).toBeGreaterThan(RUNS / 4);
  },
  20_000 + RUNS * 2_000,
);
