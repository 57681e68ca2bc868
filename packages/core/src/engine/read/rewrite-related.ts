import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Key, RelationModel, ResourceModel } from "../../model/model.ts";
import { referenceOf, type Token, tokenOf } from "../../model/reference.ts";
import { type Filter, NEVER, notFilter, type RelatedValue } from "../../operation/filter.ts";
import { valuesFilter } from "../../operation/keys-filter.ts";
import type { Scored, Sort } from "../../operation/sort.ts";
import { allMaybePromises, type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
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

/** Returns a sort whose conditions the resource's store supports. */
export function storeSort(context: OperationContext, resource: ResourceModel, sort: Sort): MaybePromise<Sort> {
  const [first, ...others] = sort;
  if (first?.score === undefined) return sort;
  const score = first.score.map((entry) =>
    allMaybePromises(
      entry.map(({ filter, points }) =>
        mapMaybePromise(storeFilter(context, resource, filter), (one): Scored => ({ filter: one ?? filter, points })),
      ),
    ),
  );
  return mapMaybePromise(allMaybePromises(score), (entries) => [{ ...first, score: entries }, ...others]);
}

/** Whether a store can compute a value from the related rows of a resource. */
export function canCompute(
  context: OperationContext,
  resource: ResourceModel,
  { relation, filter }: RelatedValue,
): boolean {
  const store = context.storeOf(resource.name);
  if (store.capabilities.relatedValues !== true || context.storeOf(relation.target) !== store) return false;
  return filter === undefined || canFollow(context, resourceOf(context.engine.model, relation.target), filter);
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
    case "compare":
      return filter.related === undefined || canCompute(context, resource, filter.related);
    case "constant":
      return true;
  }
}

/** Rewrites a filter without relations: each becomes a condition on the relation's local fields. */
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
      const found = matching.length === 0 ? NEVER : valuesFilter(relation.local, matching);
      return isEvery || filter.quantifier === "none" ? notFilter(found) : found;
    }
    case "compare": {
      if (filter.related === undefined || canCompute(context, resource, filter.related)) return filter;
      const message = `'${resource.name}' can't be filtered by '${filter.field}': its store can't compute it.`;
      throw new BifocalError("BAD_REQUEST", message, { issues: [{ path: ["filter"], message, code: "unsupported" }] });
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
): Promise<readonly Key[]> {
  const values = new Map<Token, Key>();
  const add = (value: Key | null): void => {
    if (value === null) return;
    values.set(tokenOf(value), value);
    if (values.size <= MAX_KEYS) return;
    const message = `The filter on '${relation.name}' matches more than ${MAX_KEYS} rows. Use a narrower filter.`;
    throw new BifocalError("BAD_REQUEST", message);
  };
  const where = await storeFilter(context, target, filter);
  if (relation.through === undefined) {
    await eachRow(context, target, where, (row) => add(referenceOf(relation.foreign, row)));
    return [...values.values()];
  }
  // Links are read from the target: for each matching target, the linked rows of the source.
  const store = context.storeOf(relation.source);
  const source = resourceOf(context.engine.model, relation.source);
  const inverse = inverseOf(relation);
  const parents: Key[] = [];
  await eachRow(context, target, where, (row) => {
    const value = referenceOf(relation.foreign, row);
    if (value !== null) parents.push(value);
  });
  if (parents.length === 0) return [];
  const sort = source.key.map((field) => ({ path: [field] as const, descending: false }));
  const query = { resource: source, relation: inverse, parents, sort, limit: MAX_KEYS + 1 };
  for (const page of await store.listPer(query, context.deadline))
    for (const row of page.rows) add(referenceOf(relation.local, row));
  return [...values.values()];
}
