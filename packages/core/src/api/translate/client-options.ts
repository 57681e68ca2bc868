import type { ResourceModel } from "../../model/model.ts";
import type { Precondition } from "../../operation/operation.ts";
import type { Filter } from "../../operation/filter.ts";
import type { Aggregation } from "../../operation/aggregation.ts";
import type { RowCondition } from "../../operation/row-condition.ts";
import type { RelationSelection, Selection } from "../../operation/selection.ts";
import { omitUndefined } from "../../util/omit-undefined.ts";
import { clientOperand } from "./client-values.ts";
import { aggregationNames, pageWords, searchText, termsOfSort } from "./list-words.ts";
import { notExpressible } from "./not-expressible-error.ts";
import { type PrintContext, printedResource } from "./print-context.ts";
import { checkPlainRelations, isWhole } from "./select-tree.ts";
import { shortenFilter, writeFilter } from "./write-filter.ts";

type Options = Readonly<Record<string, unknown>>;

export function clientFilter({ model }: PrintContext, resource: ResourceModel, filter: Filter): unknown {
  return shortenFilter(writeFilter(model, resource, filter, clientOperand));
}

/** Writes `filter`, `search`, `sort` and `page`. */
export function listOptions(
  context: PrintContext,
  resource: ResourceModel,
  { filter, search, sort, page }: Pick<RelationSelection, "filter" | "search" | "sort" | "page">,
): Options {
  return omitUndefined({
    filter: filter && clientFilter(context, resource, filter),
    search: search && searchText(search),
    sort: sort.length === 0 ? undefined : termsOfSort(sort),
    page: page && pageWords(resource, page),
  });
}

export function groupsOptions(
  context: PrintContext,
  resource: ResourceModel,
  aggregation: Aggregation,
  { filter, search }: RowCondition,
): Options {
  const { measures, groups, sort } = aggregationNames(aggregation);
  const { having, page } = aggregation;
  return omitUndefined({
    aggregate: measures.length === 0 ? undefined : measures,
    group: groups.length === 0 ? undefined : groups,
    filter: filter && clientFilter(context, resource, filter),
    search: search && searchText(search),
    having: having && clientFilter(context, resource, having),
    sort: sort.length === 0 ? undefined : sort,
    page: pageWords(resource, page),
  });
}

/** Writes `select`, unless all fields are selected and no relation is. */
export function selectOption(context: PrintContext, resource: ResourceModel, selection: Selection): Options {
  return isWhole(resource, selection) && selection.relations.length === 0
    ? {}
    : { select: selectMembers(context, resource, selection) };
}

function selectMembers(context: PrintContext, resource: ResourceModel, selection: Selection): Options {
  checkPlainRelations(selection);
  const members: Record<string, unknown> = Object.fromEntries(selection.fields.map((name) => [name, true]));
  for (const relation of selection.relations) {
    const { resource: target } = printedResource(context, resource.relations.get(relation.relation)?.target ?? "");
    if (relation.aggregation !== undefined) {
      const groups = groupsOptions(context, target, relation.aggregation, relation);
      if (groups["aggregate"] === undefined && groups["group"] === undefined)
        notExpressible("The client needs at least one value or group.");
      members[relation.relation] = groups;
      continue;
    }
    if (relation.count !== undefined && relation.count !== false)
      notExpressible(`The client can't count the rows of '${relation.relation}' within a row.`);
    const query = { ...listOptions(context, target, relation), ...selectOption(context, target, relation.selection) };
    members[relation.relation] = Object.keys(query).length === 0 ? true : query;
  }
  return members;
}

export function ifMatchOption({
  ifMatch,
  ifNoneMatch,
}: {
  readonly ifMatch?: Precondition;
  readonly ifNoneMatch?: Precondition;
}): Options {
  if (ifNoneMatch !== undefined) notExpressible("The client has no 'ifNoneMatch'.");
  if (ifMatch === undefined) return {};
  return { ifMatch: ifMatch !== "*" && ifMatch.length === 1 ? ifMatch[0] : ifMatch };
}
