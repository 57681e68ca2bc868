import type { ResourceModel } from "../../model/model.ts";
import { groupTermName } from "../../model/measure.ts";
import type { Aggregation } from "../../operation/aggregation.ts";
import type { GroupPage } from "../../operation/visible-rows.ts";
import type { AggregateQuery, StoreGroup } from "../../store/store.ts";
import { comparedNames } from "../access/authorize-aggregation.ts";
import type { OperationContext } from "../operation-context.ts";
import type { AggregateList } from "./aggregate-list.ts";
import { compileHaving } from "./compile-having.ts";
import { createGroup } from "./create-group.ts";
import { orderGroups } from "./order-groups.ts";
import { pageOfGroups } from "./page-of-groups.ts";
import { readMeasures } from "./read-measures.ts";

/** The query for the store, and the function that turns its groups into a page. */
export interface GroupsPlan {
  readonly target: ResourceModel;
  readonly query: Omit<AggregateQuery, "filter">;
  readonly toPage: (groups: readonly StoreGroup[]) => GroupPage;
}

/**
 * Plans an aggregation. Stores compute the values of all groups; conditions on groups, their order and pages are
 * evaluated here, so that they mean the same on every store (docs/adr/0052). Throws BAD_REQUEST if a cursor belongs to
 * another aggregation.
 */
export function planGroups(context: OperationContext, list: AggregateList): GroupsPlan {
  const { target, measures, groupBy, terms: storeTerms, having, sort } = list;
  const known = target.aggregates;
  const names = new Set([
    ...[...known.measures.values()].filter((measure) => measures.some((one) => isSame(one, measure))).map(nameOf),
    ...(having === undefined ? [] : comparedNames(having)),
    ...sort.map(nameOf).filter((name) => known.measures.has(name)),
  ]);
  const reading = readMeasures(target, [...names]);
  const terms = groupBy.map(groupTermName);
  const matches = having === undefined ? undefined : compileHaving(having, target);
  const order = orderGroups(target, sort, terms);
  const paging = pageOfGroups(context, list, order);
  const create = createGroup(terms, measures);
  return {
    target,
    query: {
      resource: target,
      groupBy: storeTerms,
      measures: reading.measures,
      limit: context.engine.limits.query.groups,
    },
    toPage(groups) {
      const values = groups.map(({ keys, values: raw }) => reading.read(terms, keys, raw));
      return paging(matches === undefined ? values : values.filter(matches), create);
    },
  };
}

function isSame(a: Aggregation["measures"][number], b: Aggregation["measures"][number]): boolean {
  return a.function === b.function && a.field === b.field;
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
