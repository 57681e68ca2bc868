import { allow, type AnyResource, defineApi, memoryStore, silentLog } from "@bifocal/core";
import type { ResourceModel } from "@bifocal/core/store";
import fc from "fast-check";
import { z } from "zod";
import type { World } from "../../../packages/sql/test/differential/field-filter.ts";
import {
  createResources,
  fieldsOf,
  type ModelPlan,
  modelPlan,
  type PlannedConfig,
  type Relation,
} from "../../../packages/sql/test/differential/model.ts";
import type { TranslatingApi } from "../read-again.ts";

/** A random model with all kinds of operations, as plain data. */
export interface ModelCase {
  readonly plan: ModelPlan;
  readonly settings: Settings;
}

interface Settings {
  readonly size: number;
  readonly softDelete: boolean;
  readonly history: boolean;
  readonly upsert: boolean;
  readonly exactCount: boolean;
  readonly hasDefaults: boolean;
  /** URL segments and plurals that don't follow from the names. */
  readonly hasOwnNames: boolean;
  readonly nonNullConnections: boolean;
  readonly globalIds: boolean;
}

export const modelCase: fc.Arbitrary<ModelCase> = fc.record({
  plan: modelPlan,
  settings: fc.record({
    size: fc.integer({ min: 1, max: 30 }),
    softDelete: fc.boolean(),
    history: fc.boolean(),
    upsert: fc.boolean(),
    exactCount: fc.boolean(),
    hasDefaults: fc.boolean(),
    hasOwnNames: fc.boolean(),
    nonNullConnections: fc.boolean(),
    globalIds: fc.nat(4).map((one) => one === 0),
  }),
});

/** Random models are larger than usual ones, so their requests may be too. */
const LIMITS = {
  query: { filterDepth: 8, filterSize: 1_000, filterScans: 1_000, selectionDepth: 8, cost: 10_000_000 },
  graphql: { depth: 32, tokens: 20_000 },
};

export type CaseApi = TranslatingApi & { readonly close: () => Promise<void> };

export function createApi({ plan, settings }: ModelCase): CaseApi {
  const resources: readonly AnyResource[] = createResources(plan, ({ name }, config) => extend(settings, name, config));
  const { nonNullConnections, globalIds } = settings;
  return defineApi({
    resources,
    store: memoryStore(),
    log: silentLog,
    warnings: false,
    limits: LIMITS,
    graphql: { nonNullConnections, globalIds },
  });
}

/** The fields of a model that requests can filter by. */
export function worldOf({ model }: CaseApi, { plan }: ModelCase): World {
  const resources = new Map(
    [...model.resources].map(([name, own]) => [name, { ...own, relations: withoutHistory(own) }] as const),
  );
  const resource = (name: string): ResourceModel => resources.get(name) as ResourceModel;
  const planned = new Map(plan.resources.map((own) => [own.name, fieldsOf(plan, own)]));
  return {
    resource,
    fields: (name) => (planned.get(name) ?? []).filter((one) => resource(name).fields.get(one.name)?.filterable),
  };
}

/** The plan doesn't contain the fields of a history. */
function withoutHistory({ relations }: ResourceModel): ResourceModel["relations"] {
  return new Map([...relations].filter(([name]) => name !== "history"));
}

const point = z.object({ x: z.number(), tags: z.array(z.string()).default([]) });
const newest = {
  on: "collection",
  access: allow,
  input: z.object({ since: z.int32(), kinds: z.array(z.enum(["a", "b-c"])).optional() }),
  run: () => ({}),
};
const nothing = { x: 1, tags: [] };

const SUMMED: ReadonlySet<string> = new Set(["int32", "integer", "number", "bigint", "decimal"]);
const GROUPED: ReadonlySet<string> = new Set(["enum", "boolean", "int32", "text", "date", "moment", "uuid"]);

function extend(settings: Settings, name: string, { fields, planned, relations }: PlannedConfig): object {
  const { size, softDelete, history, upsert, exactCount, hasDefaults, hasOwnNames } = settings;
  const named = (kinds: ReadonlySet<string>): readonly string[] =>
    planned.filter(({ kind }) => kinds.has(kind)).map((field) => field.name);
  const [text] = planned.filter(({ kind, to }) => kind === "text" && to === undefined);
  return {
    fields: {
      ...fields,
      ...(softDelete ? { deletedAt: z.iso.datetime().nullable() } : {}),
      ...(hasDefaults ? { shelf: z.string().default("a"), copies: z.int32().default(1) } : {}),
    },
    ...(softDelete ? { softDelete: "deletedAt" } : {}),
    ...(hasOwnNames ? { plural: `${name}Things`, path: `the-${name.toLowerCase()}` } : {}),
    ...(text === undefined ? {} : { search: [text.name] }),
    page: { size, max: 50 },
    upsert,
    history,
    exactCount,
    bulk: { create: 5, update: 20, delete: 20 },
    relations: Object.fromEntries(Object.entries(relations).map(([own, one]) => [own, writable(one)])),
    aggregatable: named(SUMMED),
    groupable: named(GROUPED),
    actions: {
      touch: { on: "item", access: allow, input: point, run: () => {} },
      rate: { on: "item", access: allow, input: z.int32(), output: z.number(), run: () => 1 },
      measure: { on: "collection", access: allow, input: point.optional(), output: point, run: () => nothing },
      clear: { on: "collection", access: allow, run: () => {} },
    },
    queries: {
      // Its name must not be an id.
      ...(planned[0]?.kind === "text" && planned[1]?.name !== "key1" ? {} : { newest }),
      similar: { on: "item", access: allow, run: () => ({}) },
      summary: {
        on: "item",
        access: allow,
        input: z.object({ words: z.int32().default(3) }),
        output: point,
        run: () => nothing,
      },
    },
  };
}

/** Lets writes contain related rows and links. */
function writable(relation: Relation): object {
  if (relation.kind === "hasMany") return { ...relation, creates: 2, writes: { create: 2, update: 2, delete: 2 } };
  if (relation.kind === "manyToMany") return { ...relation, links: 3 };
  return relation;
}
