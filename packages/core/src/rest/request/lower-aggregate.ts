import { lowerAggregation } from "../../lowering/lower-aggregation.ts";
import { type Path, refuse } from "../../errors/refuse.ts";
import type { Aggregation } from "../../operation/aggregation.ts";
import type { RowCondition } from "../../operation/row-condition.ts";
import type { RouteTarget } from "../routes/route-target.ts";
import { lowerCondition, type ValueForm } from "./lower-list.ts";
import { readList, readObject, readSort, rejectUnknownParameters } from "./parameters.ts";
import type { QueryTree } from "./parse-query.ts";

/** Parameters that request groups instead of rows. */
export const AGGREGATE_PARAMETERS = ["aggregate", "group", "having"] as const;
const HAVING = "having[count][gte]=10";
/** These and the parameters that they share with lists. */
export const GROUP_PARAMETERS = [...AGGREGATE_PARAMETERS, "filter", "q", "sort", "page"] as const;

/** A lowered aggregate query. It only depends on the query. */
export interface LoweredAggregate {
  readonly condition: RowCondition;
  readonly aggregation: Aggregation;
}

/** Whether a list query requests groups. */
export function requestsGroups(tree: QueryTree): boolean {
  return AGGREGATE_PARAMETERS.some((name) => tree[name] !== undefined);
}

/** Lowers `aggregate`, `group` and `having` with the parameters that they share with lists. `path` is the location of the query. */
export function lowerAggregateQuery(
  target: Pick<RouteTarget, "model" | "resource" | "limits">,
  tree: QueryTree,
  form: ValueForm,
  path: Path = [],
): LoweredAggregate {
  rejectUnknownParameters(tree, GROUP_PARAMETERS, target, path);
  const { resource, limits } = target;
  const parts = {
    aggregate: readList(tree["aggregate"], [...path, "aggregate"]),
    group: readList(tree["group"], [...path, "group"]),
    having: tree["having"] === undefined ? undefined : readObject(tree["having"], [...path, "having"], HAVING),
    sort: readSort(tree["sort"], [...path, "sort"], form === "wire"),
    page: readObject(tree["page"], [...path, "page"], "page[size]=20"),
  };
  if (parts.aggregate.length === 0 && parts.group.length === 0)
    refuse([...path, "aggregate"], "missing", "'having' requires 'aggregate' or 'group': aggregate=count&group=genre.");
  const condition = lowerCondition(target, tree, path, form);
  return { condition, aggregation: lowerAggregation(resource, parts, { form, limits, path }) };
}
