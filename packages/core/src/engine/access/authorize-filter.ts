import { BifocalError } from "../../errors/bifocal-error.ts";
import { fieldOf } from "../../model/field-of.ts";
import type { RelationModel, ResourceModel } from "../../model/model.ts";
import { ALWAYS, andFilters, type CompareFilter, type Filter, notFilter } from "../../operation/filter.ts";
import type { Sort, SortTerm } from "../../operation/sort.ts";
import type { OperationContext } from "../operation-context.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { decide, isAlways, isNever } from "./decide.ts";
import { decideRelated } from "./decide-related.ts";

/**
 * Restricts a filter of the caller to visible data: conditions on relations only consider rows that the caller can see.
 * Fields and relations that the caller can't read are rejected, so that filters can't reveal their values.
 */
export async function authorizeFilter(
  context: OperationContext,
  resource: ResourceModel,
  filter: Filter | undefined,
): Promise<Filter | undefined> {
  if (filter === undefined) return filter;
  switch (filter.kind) {
    case "constant":
      return filter;
    case "and":
    case "or": {
      const filters: Filter[] = [];
      for (const inner of filter.filters) filters.push((await authorizeFilter(context, resource, inner)) ?? ALWAYS);
      return { kind: filter.kind, filters };
    }
    case "not":
      return notFilter((await authorizeFilter(context, resource, filter.filter)) ?? ALWAYS);
    case "compare":
      await requireField(context, resource, filter.field, "filter");
      return authorizeRelated(context, resource, filter, filter.field, "filter");
    case "related": {
      const relation = resource.relations.get(filter.relation) as RelationModel;
      const target = resourceOf(context.engine.model, relation.target);
      const visible = await requireRelation(context, resource, relation, target, "filter");
      const inner = (await authorizeFilter(context, target, filter.filter)) ?? ALWAYS;
      if (isAlways(visible)) return { ...filter, filter: inner };
      // Hidden rows must not affect the result: `every` visible row matches if `none` of the visible rows fails to
      // match.
      if (filter.quantifier === "every") {
        return { ...filter, quantifier: "none", filter: andFilters(visible, notFilter(inner)) ?? ALWAYS };
      }
      return { ...filter, filter: andFilters(visible, inner) ?? ALWAYS };
    }
  }
}

/**
 * Rejects a sort by a field that the caller can't read on every row, because the order would reveal its values. Returns
 * the sort for the store.
 */
export async function authorizeSort(context: OperationContext, resource: ResourceModel, sort: Sort): Promise<Sort> {
  const terms: SortTerm[] = [];
  for (const term of sort) {
    const [first, second] = term.path;
    if (second === undefined) {
      await requireField(context, resource, first, "sort");
      terms.push(await authorizeRelated(context, resource, term, first, "sort"));
      continue;
    }
    const relation = resource.relations.get(first) as RelationModel;
    const target = resourceOf(context.engine.model, relation.target);
    const visible = await requireRelation(context, resource, relation, target, "sort");
    if (!isAlways(visible)) throw refusal(`${resource.name}.${first}`, "sort");
    await requireField(context, target, second, "sort");
    terms.push(await authorizeRelated(context, target, term, second, "sort"));
  }
  return terms;
}

/** Adds how a value is computed from related rows, with the rows that the caller can read. */
async function authorizeRelated<T extends CompareFilter | SortTerm>(
  context: OperationContext,
  resource: ResourceModel,
  use: T,
  name: string,
  as: Use,
): Promise<T> {
  const field = resource.computed.get(name);
  if (field?.computation.kind !== "related") return use;
  const related = await decideRelated(context, resource, field, field.computation);
  if (related === undefined) throw refusal(`${resource.name}.${name}`, as);
  return { ...use, related };
}

/** How a request uses a field, with the words for it. */
const USES = {
  filter: "filter by",
  sort: "sort by",
  aggregate: "aggregate",
  group: "group by",
  having: "compare groups by",
} as const;

type Use = keyof typeof USES;

/** Throws FORBIDDEN unless the caller can read a field on every row. */
export async function requireField(
  context: OperationContext,
  resource: ResourceModel,
  name: string,
  use: Use,
): Promise<void> {
  const field = fieldOf(resource, name);
  if (field === undefined || field.read.kind === "allow") return;
  if (!isAlways(await decide(context, field.read, resource))) throw refusal(`${resource.name}.${name}`, use);
}

/** Returns the rows of the target that the caller can see along the relation. */
export async function requireRelation(
  context: OperationContext,
  resource: ResourceModel,
  relation: RelationModel,
  target: ResourceModel,
  use: Use,
): Promise<Filter> {
  const own = await decide(context, relation.read, resource);
  const visible = await decide(context, target.access.read, target);
  if (!isAlways(own) || isNever(visible)) throw refusal(`${resource.name}.${relation.name}`, use);
  return visible;
}

function refusal(name: string, use: Use): BifocalError {
  const message = `You can't ${USES[use]} '${name}', because you are not allowed to read it.`;
  return new BifocalError("FORBIDDEN", message, { issues: [{ path: [use], message, code: "not_readable" }] });
}
