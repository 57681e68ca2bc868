import { memoryStore } from "@bifocal/core";
import type { Model, ResourceModel } from "@bifocal/core/store";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlStore, type SqlStoreOptions } from "../../src/index.ts";
import { queryPostgres, restrictedDatabase, servers, type TestDatabase, type TestServer } from "@bifocal/test-servers";
import { hosts } from "../hosted/hosts.ts";
import { type ApiCall, type ApiStep, apiStepsOf } from "./api-steps.ts";
import { comparable } from "./comparable.ts";
import { add, type Counts, countApiStep, countStep, countTransaction } from "./counts.ts";
import { type Crossing, crossingsOf } from "./crossings.ts";
import { conventionalModelPlan, createModel, fieldsOf, type ModelPlan } from "./model.ts";
import { createRecordedApi } from "./recorded-api.ts";
import { runApiStep } from "./run-api-step.ts";
import { runStep, type Said } from "./run-step.ts";
import { fillOf, type Step, stepsOf } from "./steps.ts";
import type { World } from "./field-filter.ts";

/** `npm run verify:stores` sets more runs. A failure prints the settings that repeat it. */
const RUNS = Number(process.env["STORE_RUNS"] ?? 40);
/** In milliseconds. Several databases take this time together. */
const TIMEOUT = 60_000 + RUNS * 10_000;

function worldOf(model: Model, plan: ModelPlan): World {
  const planned = new Map(plan.resources.map((own) => [own.name, fieldsOf(plan, own)]));
  // Only the API writes entries of histories.
  const withoutHistory = ({ relations }: ResourceModel): ResourceModel["relations"] =>
    new Map([...relations].filter(([name]) => name !== "history"));
  const resources = new Map(
    [...model.resources].map(([name, own]) => [name, { ...own, relations: withoutHistory(own) }] as const),
  );
  return {
    resource: (name) => resources.get(name) as ResourceModel,
    fields: (name) => planned.get(name) ?? [],
    hasSearches: true,
  };
}

interface Case {
  readonly plan: ModelPlan;
  /** Runs before the steps. Rows that violate a constraint are skipped. */
  readonly rows: readonly Step[];
  readonly steps: readonly Step[];
  /** Run first, on empty tables. */
  readonly apiSteps: readonly ApiStep[];
}

const casesOf = (plans: fc.Arbitrary<ModelPlan>): fc.Arbitrary<Case> =>
  plans.chain((plan) => {
    const world = worldOf(createModel(plan), plan);
    const names = plan.resources.map(({ name }) => name);
    const rows = fc.tuple(...names.map((name) => fillOf(world, name))).map((all) => all.flat());
    const [steps, apiSteps] = [stepsOf(world, names), apiStepsOf(world, names)];
    return fc.record({ plan: fc.constant(plan), rows, steps, apiSteps });
  });

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

/** PostgreSQL with a role that policies apply to. */
const restricted: Pick<TestServer, "name" | "missing" | "create"> = {
  name: "postgres",
  missing: servers.find(({ name }) => name === "postgres")?.missing,
  async create() {
    const database = await restrictedDatabase();
    const role = new URL(database.url).username;
    const grant = `grant all on schema public to ${role}`;
    return {
      ...database,
      clear: () => database.clear().then(async () => void (await queryPostgres(database.superUrl, grant))),
    };
  },
};

/** A store that the same calls are made to. */
interface Way {
  readonly name: string;
  readonly server: typeof restricted;
  /** One in this many models. */
  readonly share: number;
  readonly source: (url: string) => SqlStoreOptions;
  readonly plans: fc.Arbitrary<ModelPlan>;
  /** Calls of the store name no tenant, so that policies hide all rows of tenants. */
  readonly isOnlyForApis?: boolean;
}

const withPolicies: Way = {
  name: "postgres with row-level security",
  server: restricted,
  share: 2,
  source: (url) => ({ url, max: 2, rowLevelSecurity: true }),
  plans: conventionalModelPlan.filter(({ resources }) => resources.some(({ tenant }) => tenant === true)),
  isOnlyForApis: true,
};

/** The store's own pool, and a pool of the application, whose driver parses values differently. */
const WAYS: readonly Way[] = hosts.flatMap(({ name, server, dialect }): readonly Way[] => [
  { name, server, share: 1, source: (url: string) => ({ url, max: 2 }), plans: conventionalModelPlan },
  {
    name: `${name} by the application's Kysely`,
    server,
    share: 4,
    source: (url: string) => ({ dialect: dialect(url) }),
    plans: name === "sqlite" ? conventionalModelPlan.map(withoutSearch) : conventionalModelPlan,
  },
  ...(name === "postgres" ? [withPolicies] : []),
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
/** The least number of calls of an API for each model, at most a third of what was measured over 90 models. */
const LEAST_OF_API: Readonly<Record<string, number>> = {
  changes: 1.7,
  "create with principal": 0.7,
  "create with tenant": 0.7,
  "replace with principal": 0.1,
  "replace with tenant": 0.1,
  "transaction rolled back": 0.03,
  "transaction with changes": 0.07,
  "update with principal": 0.3,
  "update with tenant": 0.25,
  "list with principal": 0.3,
  "list with tenant": 0.5,
  "list with entries": 0.25,
  "history with entries": 0.04,
  restore: 0.06,
  "link with tenant": 0.04,
  "create names a reference of another tenant": 0.05,
  "replace names a row of another tenant": 0.03,
  "update names a row of another tenant": 0.1,
  "link names a row of another tenant": 0.03,
};
const SEARCHES = ["list with search", "list by relevance"];

/** Whether a call named a row that it didn't find, or was rejected. The application itself sees an empty history. */
function isRefused(said: unknown): boolean {
  if (said === null || typeof said !== "object") return said === null;
  return "code" in said || ("items" in said && (said.items as readonly unknown[]).length === 0);
}

/** The calls of APIs over all databases. */
const apiCounts: Counts = new Map();
let models = 0;

/** Servers compute while the others wait. SQLite would let none of them continue. */
describe.each(WAYS.filter(({ server }) => server.name === "sqlite"))("$name", (way) => {
  compareModels(way);
});
describe.concurrent.each(WAYS.filter(({ server }) => server.name !== "sqlite"))("$name", (way) => {
  compareModels(way);
});

function compareModels({ name, server: { missing, create }, share, source, plans, isOnlyForApis = false }: Way): void {
  const runs = Math.ceil(RUNS / share);
  let database: TestDatabase;
  beforeAll(async () => {
    if (missing === undefined) database = await create();
  }, TIMEOUT);
  afterAll(() => database?.drop(), TIMEOUT);

  test.skipIf(missing !== undefined)(
    `gives the same results as memoryStore for any calls, over ${runs} models`,
    async () => {
      const counts: Counts = new Map();
      const property = fc.asyncProperty(casesOf(plans), async ({ plan, rows, steps, apiSteps }) => {
        await database.clear();
        const [memory, store] = [
          memoryStore(),
          sqlStore({ ...source(database.url), autoCreate: true, foreignKeys: false }),
        ];
        const apis = [createRecordedApi(plan, memory), createRecordedApi(plan, store)] as const;
        const { model } = apis[0];
        const resourceOf = (of: string): ResourceModel => model.resources.get(of) as ResourceModel;
        try {
          for (const { open } of apis) await open();
          const changesAround = async ({ kind }: ApiStep): Promise<unknown> =>
            kind === "transaction" ? apis[0].changes() : undefined;
          for (const step of apiSteps) {
            const calls = step.kind === "transaction" ? step.calls : [step];
            const crossings = await Promise.all(calls.map((call) => crossingsOf(memory, model, call)));
            const before = await changesAround(step);
            const expected = comparable(await runApiStep(apis[0], step));
            const said = comparable(await runApiStep(apis[1], step));
            expect(said, `\n${JSON.stringify(step)}`).toEqual(expected);
            // Without its results, a transaction has changed nothing.
            const after = Array.isArray(said) ? before : await changesAround(step);
            expect(after).toEqual(before);
            if (step.kind === "transaction") countTransaction(apiCounts, step, said);
            // A rejected transaction has no results.
            const results = step.kind !== "transaction" ? [said] : Array.isArray(said) ? said : [];
            for (const [at, result] of results.entries()) {
              const [call, crossed] = [calls[at] as ApiCall, crossings[at] as readonly Crossing[]];
              expect([crossed.length === 0 || isRefused(result), call]).toEqual([true, call]);
              countApiStep(apiCounts, resourceOf(call.of), call, result, crossed);
            }
          }
          const changes = comparable(await apis[0].changes()) as readonly unknown[];
          expect(comparable(await apis[1].changes())).toEqual(changes);
          add(apiCounts, "changes", changes.length);
          models += 1;
          for (const step of isOnlyForApis ? [] : [...rows, ...steps]) {
            const expected = comparable(await runStep(memory, model, step));
            const said = comparable(await runStep(store, apis[1].model, step));
            expect(anyGroup(said), `\n${JSON.stringify(step)}`).toEqual(anyGroup(expected));
            countStep(counts, resourceOf, step, said);
          }
        } finally {
          for (const { close } of apis) await close();
        }
      });
      await fc.assert(property, {
        numRuns: runs,
        seed: drawSeed("STORE_SEED"),
        endOnFailure: process.env["STORE_SHRINK"] === "no",
      });
      if (process.env["PRINT_COUNTS"] !== undefined)
        console.table(Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1))));
      if (isOnlyForApis) return;
      const expected = name.startsWith("sqlite by") ? LEAST : [...LEAST, ...SEARCHES];
      const few = expected.filter((kind) => (counts.get(kind) ?? 0) < runs / 100);
      expect(runs < 500 ? [] : few).toEqual([]);
    },
    TIMEOUT,
  );
}

test("enough calls of APIs show each convention", () => {
  if (process.env["PRINT_COUNTS"] !== undefined)
    console.table(Object.fromEntries([...apiCounts].sort(([one], [other]) => (one < other ? -1 : 1))));
  // All databases run the same models, so that their counts vary together. Rare calls are enough only in long runs.
  const enough = (least: number): number => least * models - 3 * Math.sqrt(3 * least * models);
  const few = Object.entries(LEAST_OF_API).filter(([name, least]) => (apiCounts.get(name) ?? 0) < enough(least));
  expect([few, models > 0]).toEqual([[], true]);
});
