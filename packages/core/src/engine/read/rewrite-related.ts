import { BifocalError } from "../../errors/bifocal-error.ts";
import type { RelationModel, ResourceModel } from "../../model/model.ts";
import { type Filter, NEVER, notFilter } from "../../operation/filter.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import type { Json } from "../../util/json.ts";
import type { OperationContext } from "../operation-context.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { eachRow } from "./each-row.ts";
import { inverseOf } from "./inverse-of.ts";

/** Maximum number of related keys that the engine reads for a store that can't join. */
const MAX_KEYS = 10_000;

/**
 * Returns a filter that the resource's store supports. If the store can't follow a relation, the engine reads the
 * related keys first.
 */
export function storeFilter(
  context: OperationContext,
  resource: ResourceModel,
  filter: Filter | undefined,
): MaybePromise<Filter | undefined> {
  if (filter === undefined || canFollow(context, resource, filter)) return filter;
  return rewriteRelated(context, resource, filter);
}

/** Whether a filter follows a relation. */
export function isRelated(filter: Filter): boolean {
  if (filter.kind === "and" || filter.kind === "or") return filter.filters.some(isRelated);
  return filter.kind === "related" || (filter.kind === "not" && isRelated(filter.filter));
}

/** Whether the resource's store can follow all relations of a filter. */
export function canFollow(context: OperationContext, resource: ResourceModel, filter: Filter): boolean {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.filters.every((inner) => canFollow(context, resource, inner));
    case "not":
      return canFollow(context, resource, filter.filter);
    case "related": {
      const store = context.storeOf(resource.name);
      const relation = resource.relations.get(filter.relation) as RelationModel;
      if (!store.capabilities.relationFilters || context.storeOf(relation.target) !== store) return false;
      return canFollow(context, resourceOf(context.engine.model, relation.target), filter.filter);
    }
    default:
      return true;
  }
}

/** Rewrites a filter without relations: each becomes a condition on the relation's local field. */
export async function rewriteRelated(
  context: OperationContext,
  resource: ResourceModel,
  filter: Filter,
): Promise<Filter> {
  switch (filter.kind) {
    case "and":
    case "or": {
      const filters: Filter[] = [];
      for (const inner of filter.filters) filters.push(await rewriteRelated(context, resource, inner));
      return { kind: filter.kind, filters };
    }
    case "not":
      return notFilter(await rewriteRelated(context, resource, filter.filter));
    case "related": {
      const relation = resource.relations.get(filter.relation) as RelationModel;
      const target = resourceOf(context.engine.model, relation.target);
      const isEvery = filter.quantifier === "every";
      const matching = await localValues(context, relation, target, isEvery ? notFilter(filter.filter) : filter.filter);
      const found: Filter =
        matching.length === 0 ? NEVER : { kind: "compare", field: relation.local, operator: "in", value: matching };
      return isEvery || filter.quantifier === "none" ? notFilter(found) : found;
    }
    default:
      return filter;
  }
}

/** Returns the values of `relation.local` for which a related row matches. */
async function localValues(
  context: OperationContext,
  relation: RelationModel,
  target: ResourceModel,
  filter: Filter,
): Promise<readonly Json[]> {
  const values = new Set<Json>();
  const add = (value: Json | undefined): void => {
    if (value === null || value === undefined) return;
    values.add(value);
    if (values.size <= MAX_KEYS) return;
    const message = `The filter on '${relation.name}' matches more than ${MAX_KEYS} rows. Use a narrower filter.`;
    throw new BifocalError("BAD_REQUEST", message);
  };
  const where = await storeFilter(context, target, filter);
  if (relation.through === undefined) {
    await eachRow(context, target, where, (row) => add(row[relation.foreign]));
    return [...values];
  }
  // Links are read from the target: for each matching target, the linked rows of the source.
  const store = context.storeOf(relation.source);
  const source = resourceOf(context.engine.model, relation.source);
  const inverse = inverseOf(relation);
  const parents: (string | number)[] = [];
  await eachRow(context, target, where, (row) => {
    const value = row[relation.foreign];
    if (typeof value === "string" || typeof value === "number") parents.push(value);
  });
  if (parents.length === 0) return [];
  const sort = source.key.map((field) => ({ path: [field] as const, descending: false }));
  const query = { resource: source, relation: inverse, parents, sort, limit: MAX_KEYS + 1 };
  for (const page of await store.listPer(query, context.deadline))
    for (const row of page.rows) add(row[relation.local]);
  return [...values];
}
