import {
  allow,
  type AnyResource,
  apiKeys,
  asSystem,
  belongsTo,
  BifocalError,
  defineApi,
  defineResource,
  deny,
  generate,
  hasMany,
  manyToMany,
  anyOf,
  type Principal,
  principalId,
  silentLog,
  through,
} from "@bifocal/core";
import { z } from "zod";
import { asked, toRule } from "../rule-tree.ts";
import type { Caller } from "./callers.ts";
import { COMPUTED, COMPUTED_IN_STORE } from "./computed-fields.ts";
import { conventionsOf, throughTraits } from "./conventions.ts";
import type { Rules } from "./rules.ts";
import { hasBulkDelete, type SchemaPlan } from "./schema-plan.ts";
import { REALM, type State } from "./state.ts";
import type { OpenedStore } from "./stores.ts";
import { fillTables, readTables } from "./tables.ts";
import { isAggregatable, kindOf } from "./values.ts";

/** The first id of bells: rows that every caller sees, which mark the end of the events of a step. */
export const BELL = 900;
/** Bells have different ids until they start again, because their events may arrive late. */
export const BELL_COUNT = 100;

/** The schema, rules and callers of a world. */
export interface Setting {
  readonly plan: SchemaPlan;
  readonly rules: Rules;
  readonly callers: readonly Caller[];
}

interface SystemRows {
  readonly create: (row: object) => Promise<{ readonly id: number }>;
  readonly update: (id: number, changes: object) => Promise<unknown>;
  readonly delete: (id: number) => Promise<unknown>;
  readonly link: (id: number, relation: string, target: number) => Promise<unknown>;
  readonly unlink: (id: number, relation: string, target: number) => Promise<unknown>;
  readonly actions: { readonly set: (id: number, changes: object) => Promise<unknown> };
}

// The types of a drawn schema are not known at compile time.
const define = defineResource as unknown as (name: string, config: object) => AnyResource;
const int = z.int32();

/** The row whose writes the hooks reject. */
export const REFUSED_BY_HOOK = { color: 2, size: 2 } as const;

const hooks = {
  create: { before: refuseInHook },
  update: { before: refuseInHook },
};

function refuseInHook({ input }: { readonly input: { readonly color?: unknown; readonly size?: unknown } }): void {
  if (input.color === REFUSED_BY_HOOK.color && input.size === REFUSED_BY_HOOK.size) {
    throw new BifocalError("CONFLICT", "A hook refuses this color with this size.");
  }
}

/** Changes any fields of a row, for system calls only. */
const set = {
  on: "item",
  access: deny,
  input: z.record(z.string(), z.unknown()),
  run: async ({ item, input, store }: { item: { id: number }; input: object; store: SystemRows }) =>
    store.update(item.id, input),
};

interface Reads {
  readonly list: (query: object) => Promise<{ readonly total: number }>;
  readonly aggregate: (query: object) => Promise<{ readonly groups: readonly { readonly count: number }[] }>;
}

/** Queries whose code only depends on what their callers can see. */
const queries = {
  near: {
    on: "collection",
    // Everyone who can read a row can read its color.
    access: ({ principal }: { principal: Principal | null }) => (principal === null ? { color: { lt: 3 } } : true),
    input: z.object({ size: int }),
    run: ({ input }: { input: { size: number } }) => ({ filter: { size: { gte: input.size } }, sort: ["-color"] }),
  },
  alike: {
    on: "item",
    access: allow,
    run: ({ item }: { item: { color: number } }) => ({ filter: { color: { eq: item.color } }, sort: ["ownerId"] }),
  },
  digest: {
    on: "item",
    access: allow,
    output: z.object({ color: int, items: int, top: int }),
    run: async ({ item, local }: { item: { id: number; color: number }; local: Reads }) => {
      const { total } = await local.list({ filter: { boxId: { eq: item.id } }, count: true });
      const { groups } = await local.aggregate({ aggregate: ["count"], filter: { color: { eq: item.color } } });
      return { color: item.color, items: total, top: groups[0]?.count ?? 0 };
    },
  },
  survey: {
    on: "collection",
    access: allow,
    output: z.object({ rows: int }),
    run: async ({ locals }: { locals: (name: string) => Reads }) => ({
      rows: (await locals("row").list({ count: true })).total,
    }),
  },
};

/** The owner of a row and that of its box, and drawn texts, which a rule may hide. */
function searchOf({ fields }: SchemaPlan): readonly string[] {
  const texts = fields.filter(({ kind }) => kind === "text").map(({ name }) => name);
  return [...texts, "ownerId", "box.ownerId"];
}

function rowOf(plan: SchemaPlan, rules: Rules, hasBells: boolean, nextId: () => number): AnyResource {
  const { fields } = plan;
  const drawn = fields.map(({ name, kind, isNullable }) => {
    const { schema } = kindOf(kind);
    return [name, isNullable ? schema.nullable() : schema] as const;
  });
  const read = asked(toRule(rules.read, 3));
  const ruled = fields.filter(({ isRuled }) => isRuled).map(({ name }) => [name, { read: toRule(rules.fieldRead, 9) }]);
  const price = {
    read: toRule(rules.priceRead, 5),
    ...(plan.hasPriceWrite ? { write: toRule(rules.priceWrite, 2) } : {}),
  };
  const relations = {
    ...(plan.hasRelationRules ? { items: { read: asked(toRule(rules.itemsRead, 4)) } } : {}),
    ...(plan.hasLinks
      ? {
          tags: {
            link: asked(toRule(rules.link, 6)),
            ...(plan.hasRelationRules ? { read: asked(toRule(rules.tagsRead)) } : {}),
          },
        }
      : {}),
  };
  const scalars = fields.filter(({ kind }) => kindOf(kind).isScalar).map(({ name }) => name);
  // An event has the values at the time of its delivery, which no test controls.
  const inStore = plan.hasComputed && !hasBells ? COMPUTED_IN_STORE : [];
  const references = plan.referencesGroup ? ["realm", "id"] : "id";
  const reference = (field: string): string | string[] => (plan.referencesGroup ? ["realm", field] : field);
  const conventions = conventionsOf(plan, rules);
  const config = {
    ...conventions.config,
    fields: {
      id: int,
      color: int,
      size: int,
      ownerId: z.string(),
      boxId: int.nullable(),
      price: int.default(0),
      code: int.nullable().default(null),
      hidden: int.default(0),
      ...(plan.hasSecret ? { secret: int.default(0) } : {}),
      ...(plan.hasVersion ? { revision: z.int() } : {}),
      ...(plan.referencesGroup ? { realm: int } : {}),
      ...conventions.fields,
      ...Object.fromEntries(drawn),
    },
    ...(plan.hasComputed && !hasBells ? { computed: COMPUTED } : {}),
    search: searchOf(plan),
    ...(plan.hasClientKeys ? { upsert: true } : {}),
    generated: { ...(plan.hasClientKeys ? {} : { id: generate(nextId) }), ...realmOf(plan) },
    relations: {
      box: belongsTo("row", reference("boxId"), {
        onDelete: plan.onDeleteBox,
        references,
        ...(plan.hasCreates ? { creates: 1 } : {}),
      }),
      items: hasMany("row", reference("boxId"), {
        references,
        ...(plan.hasCreates && !plan.requirePrecondition ? { writes: { update: 2, delete: 2 } } : {}),
      }),
      notes: hasMany("note", reference("rowId"), {
        references,
        ...(plan.hasCreates ? { creates: 5, writes: { create: 2, delete: 2 } } : {}),
      }),
      ...(plan.hasLinks ? { tags: manyToMany("tag", { links: 4 }) } : {}),
    },
    access: {
      read: hasBells ? anyOf(() => ({ id: { gte: BELL, lt: BELL + BELL_COUNT } }), read) : read,
      create: asked(toRule(rules.create, 1)),
      update: asked(toRule(rules.update, 2)),
      delete: asked(toRule(rules.remove, 8)),
      fields: { price, ...Object.fromEntries(ruled) },
      relations,
      ...conventions.access,
    },
    actions: {
      set,
      mark: {
        on: "item",
        access: asked(toRule(rules.act, 10)),
        input: z.object({ size: int }),
        run: async ({ item, input, store }: { item: { id: number }; input: { size: number }; store: SystemRows }) =>
          store.update(item.id, { size: input.size }),
      },
      echo: {
        on: "collection",
        access: allow,
        input: z.object({ size: int }),
        output: z.object({ size: int, who: z.string() }),
        run: ({ input, principal }: { input: { size: number }; principal: Principal | null }) => ({
          size: input.size,
          who: principal?.id ?? "nobody",
        }),
      },
    },
    queries,
    internal: ["hidden", ...(plan.hasSecret ? ["secret"] : [])],
    ...(plan.hasSecret ? { secret: ["secret"] } : {}),
    ...(plan.hasVersion ? { version: "revision" } : {}),
    ...(plan.hasHooks ? { hooks } : {}),
    requirePrecondition: plan.requirePrecondition,
    immutable: fields.filter(({ isImmutable }) => isImmutable).map(({ name }) => name),
    unique: ["code", ...(plan.referencesGroup ? [["realm", "id"]] : [])],
    // Bulk changes cannot name a version for each row.
    bulk: {
      create: 50,
      ...(plan.requirePrecondition ? {} : { update: 50 }),
      ...(hasBulkDelete(plan) ? { delete: 50 } : {}),
    },
    filterable: ["id", "color", "size", "boxId", "price", "ownerId", ...scalars, ...inStore],
    sortable: ["color", "size", "price", ...scalars, ...inStore],
    aggregatable: [
      "color",
      "size",
      "price",
      ...fields.filter(({ kind }) => isAggregatable(kind)).map(({ name }) => name),
    ],
    groupable: ["color", "size", "boxId", "ownerId", "price", "box.color", "box.size", "box.price", ...scalars],
  };
  return define("row", plan.hasTraits ? throughTraits(config) : config);
}

function realmOf({ referencesGroup }: SchemaPlan): object {
  return referencesGroup ? { realm: generate(() => REALM) } : {};
}

interface WorldOptions {
  /** Every caller sees bells. */
  readonly hasBells?: boolean;
}

/** An API of a drawn schema, with drawn rules and callers. All worlds sign their cursors alike. */
export function createWorld(
  { plan, rules, callers }: Setting,
  opened: OpenedStore,
  { hasBells = false }: WorldOptions = {},
) {
  const { store } = opened;
  let next = 1_000;
  let bells = 0;
  const nextId = (): number => next++;
  const noteWrite = asked(through("row", toRule(rules.noteWrite, 4)));
  const note = define("note", {
    fields: {
      id: int,
      rowId: plan.onDeleteRow === "setNull" ? int.nullable() : int,
      text: z.string(),
      createdBy: z.string().nullable(),
      ...(plan.referencesGroup ? { realm: int } : {}),
    },
    generated: { id: generate(nextId), createdBy: principalId(), ...realmOf(plan) },
    relations: {
      row: plan.referencesGroup
        ? belongsTo("row", ["realm", "rowId"], { onDelete: plan.onDeleteRow, references: ["realm", "id"] })
        : belongsTo("row", "rowId", { onDelete: plan.onDeleteRow }),
    },
    access: {
      read: asked(through("row", toRule(rules.noteRead, 7))),
      create: noteWrite,
      update: deny,
      delete: noteWrite,
    },
    actions: { set },
    filterable: ["text"],
    sortable: ["text"],
  });
  const tag = define("tag", {
    fields: { id: int, color: int, size: int, ownerId: z.string() },
    ...(plan.hasLinks ? { relations: { rows: manyToMany("row") } } : {}),
    access: {
      read: asked(toRule(rules.tagRead, 5)),
      create: deny,
      update: deny,
      delete: deny,
      ...(plan.hasLinks ? { relations: { rows: { link: asked(toRule(rules.tagLink, 6)) } } } : {}),
    },
    filterable: ["color"],
    sortable: ["color"],
  });
  const known = callers.flatMap(({ token, principal }) =>
    token === undefined || principal === null ? [] : [[token, principal] as const],
  );
  const api = defineApi({
    resources: [rowOf(plan, rules, hasBells, nextId), note, tag],
    store,
    auth: apiKeys(Object.fromEntries(known)),
    secret: "the same secret in all drawn worlds",
    log: silentLog,
    // A paused process would reject requests, and `Retry-After` is random.
    limits: { http: { eventLoopDelay: Number.POSITIVE_INFINITY }, query: { timeout: 60_000 } },
    graphql: { globalIds: plan.globalIds, batching: true, incremental: true },
  });
  const system = api.as(asSystem("a change that a caller may not see")) as unknown as {
    readonly row: SystemRows;
    readonly note: SystemRows;
  };
  return {
    api,
    system,
    /** Resets the rows to those of another world with the same rules. */
    become: async (state: State): Promise<void> => fillTables(opened, api.model, state),
    read: async (): Promise<State> => readTables(store, api.model),
    nextBell: (): number => BELL + (bells++ % BELL_COUNT),
    /** Sets the key of the next row that is created. */
    callNext: (id: number): void => {
      next = id;
    },
  };
}

export type World = ReturnType<typeof createWorld>;
