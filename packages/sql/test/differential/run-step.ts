import {
  isBifocalError,
  type Json,
  keyOf,
  keyToken,
  type Model,
  type Position,
  type RelationModel,
  type ResourceModel,
  type Row,
  rowVersion,
  type Store,
  StoreConflict,
  type StoreContext,
  type StoreGroup,
  type StorePage,
} from "@bifocal/core/store";
import type { PageStep, Step } from "./steps.ts";

/** The result of a step in a normalized form, which is equal for stores that behave equally. */
export type Said = unknown;

const CONTEXT: StoreContext = { signal: undefined };

class Failing extends Error {}

/** Makes the call. Errors are reduced to what callers can see. */
export async function runStep(store: Store, model: Model, step: Step): Promise<Said> {
  try {
    return await say(store, model, step);
  } catch (thrown) {
    if (thrown instanceof Failing) return "rolled back";
    if (thrown instanceof StoreConflict) return { conflict: [...thrown.fields].sort() };
    if (isBifocalError(thrown)) return { code: thrown.code, message: thrown.message };
    throw thrown;
  }
}

async function say(store: Store, model: Model, step: Step): Promise<Said> {
  if (step.kind === "transaction") {
    return store.transaction(async (within) => {
      const said: Said[] = [];
      for (const inner of step.steps) said.push(await say(within, model, inner));
      if (step.fails) throw new Failing();
      return said;
    }, CONTEXT);
  }
  const resource = model.resources.get(step.of) as ResourceModel;
  switch (step.kind) {
    case "byKeys": {
      const { keys, filter, relatedValues } = step;
      const rows = await store.byKeys({ resource, keys, filter, relatedValues }, CONTEXT);
      return byToken(resource, rows);
    }
    case "list": {
      const { sort } = step;
      return sayPage(await store.list({ resource, ...(await pageQuery(store, resource, step)) }, CONTEXT), sort);
    }
    case "listPer": {
      const relation = resource.relations.get(step.relation);
      const target = model.resources.get(relation?.target ?? "") as ResourceModel;
      const query = { resource: target, ...(await pageQuery(store, target, step)) };
      const pages = await store.listPer({ ...query, relation: relation as never, parents: step.parents }, CONTEXT);
      return pages.map((page) => sayPage(page, step.sort));
    }
    case "aggregate": {
      const { filter, groupBy, measures } = step;
      const found = await store.aggregate?.({ resource, filter, groupBy, measures, limit: 1_000 }, CONTEXT);
      return sayGroups(found?.groups);
    }
    case "aggregatePer": {
      const { filter, groupBy, measures, parents } = step;
      const relation = resource.relations.get(step.relation) as RelationModel;
      const target = model.resources.get(relation.target) as ResourceModel;
      const query = { resource: target, relation, parents, filter, groupBy, measures, limit: 1_000 };
      return (await store.aggregatePer?.(query, CONTEXT))?.groups.map(sayGroups);
    }
    case "insert":
      return store.insert({ resource, rows: step.rows }, CONTEXT);
    case "update":
    case "delete": {
      const { key, where } = step;
      const [row] = await store.byKeys({ resource, keys: [key] }, CONTEXT);
      const ifMatch = versions(step.ifMatch, resource, row);
      if (step.kind === "delete") return store.delete({ resource, key, where, ifMatch }, CONTEXT);
      return store.update({ resource, key, set: step.set, check: step.check, where, ifMatch }, CONTEXT);
    }
    default: {
      const { from, to } = step;
      return store[step.kind]({ relation: resource.relations.get(step.relation) as never, from, to }, CONTEXT);
    }
  }
}

function versions(kind: "current" | "stale" | "*" | undefined, resource: ResourceModel, row: Row | undefined) {
  if (kind === undefined || kind === "*") return kind;
  return kind === "stale" || row === undefined ? ["another"] : ["another", rowVersion(resource, row)];
}

/** The order of rows read by keys is arbitrary. */
function byToken(resource: ResourceModel, rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => (keyToken(keyOf(resource, a)) < keyToken(keyOf(resource, b)) ? -1 : 1));
}

/** The position of a page comes from the store's own list, like a cursor. */
async function pageQuery(store: Store, resource: ResourceModel, step: PageStep) {
  const { filter, sort, limit, offset, fromEnd, count, relatedValues } = step;
  const query = { filter, sort, limit, offset, fromEnd, count, relatedValues };
  if (step.after === undefined && step.before === undefined) return query;
  const all = await store.list({ resource, sort, limit: 1_000 }, CONTEXT);
  const at = (index: number | undefined): Position | undefined => placeOf(all, sort, index);
  return { ...query, after: at(step.after), before: at(step.before) };
}

function placeOf(page: StorePage, sort: PageStep["sort"], index: number | undefined): Position | undefined {
  if (index === undefined || page.rows[index] === undefined) return undefined;
  return page.position?.(index) ?? sort.map(({ path: [name] }): Json => page.rows[index]?.[name] ?? null);
}

/** The order of groups is arbitrary. */
function sayGroups(groups: readonly StoreGroup[] = []): Said {
  return groups.map((group) => JSON.stringify(group)).sort();
}

function sayPage(page: StorePage, sort: PageStep["sort"]): Said {
  const places = page.rows.map((_, index) => placeOf(page, sort, index));
  return { rows: page.rows, more: page.more, total: page.total, places };
}
