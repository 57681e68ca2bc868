import { BifocalError } from "../../errors/bifocal-error.ts";
import type { RelationModel, ResourceModel } from "../../model/model.ts";
import { ALWAYS, andFilters, type Filter, notFilter } from "../../operation/filter.ts";
import type { Sort } from "../../operation/sort.ts";
import type { OperationContext } from "../operation-context.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { decide, isAlways, isNever } from "./decide.ts";

/**
 * Restricts a filter of the caller to visible data: conditions on relations only consider rows that the caller can see.
 * Fields and relations that the caller can't read are rejected, so that filters can't reveal their values.
 */
export async function authorizeFilter(
  context: OperationContext,
  resource: ResourceModel,
  filter: Filter | undefined,
): Promise<Filter | undefined> {
  if (filter === undefined || context.system) return filter;
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
      return filter;
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

/** Rejects a sort by a field that the caller can't read on every row, because the order would reveal its values. */
export async function authorizeSort(context: OperationContext, resource: ResourceModel, sort: Sort): Promise<void> {
  if (context.system) return;
  for (const { path } of sort) {
    const [first, second] = path;
    if (second === undefined) {
      await requireField(context, resource, first, "sort");
      continue;
    }
    const relation = resource.relations.get(first) as RelationModel;
    const target = resourceOf(context.engine.model, relation.target);
    const visible = await requireRelation(context, resource, relation, target, "sort");
    if (!isAlways(visible)) throw refusal(`${resource.name}.${first}`, "sort");
    await requireField(context, target, second, "sort");
  }
}

type Use = "filter" | "sort";

async function requireField(context: OperationContext, resource: ResourceModel, name: string, use: Use): Promise<void> {
  const field = resource.fields.get(name);
  if (field === undefined || field.read.kind === "allow") return;
  if (!isAlways(await decide(context, field.read, resource))) throw refusal(`${resource.name}.${name}`, use);
}

/** Returns the rows of the target that the caller can see along the relation. */
async function requireRelation(
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
  const message = `You can't ${use} by '${name}', because you are not allowed to read it.`;
  return new BifocalError("FORBIDDEN", message, { issues: [{ path: [use], message, code: "not_readable" }] });
}
