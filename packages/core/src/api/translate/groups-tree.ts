import type { ResourceModel } from "../../model/model.ts";
import type { Aggregation } from "../../operation/aggregation.ts";
import type { RowCondition } from "../../operation/row-condition.ts";
import { omitUndefined } from "../../util/omit-undefined.ts";
import { aggregationNames, pageWords, searchText } from "./list-words.ts";
import { notExpressible } from "./not-expressible-error.ts";
import type { PrintContext } from "./print-context.ts";
import { shortenFilter, writeFilter } from "./write-filter.ts";

/** Writes `aggregate`, `group` and `having` of REST, with the filter, order and page of the groups. */
export function groupsTree(
  { model }: PrintContext,
  resource: ResourceModel,
  aggregation: Aggregation,
  { filter, search }: RowCondition,
): Readonly<Record<string, unknown>> {
  const { measures, groups, sort } = aggregationNames(aggregation);
  const { having, page } = aggregation;
  if (measures.length === 0 && groups.length === 0) notExpressible("REST needs at least one value or group.");
  const listed = (names: readonly string[]): readonly string[] | undefined => (names.length === 0 ? undefined : names);
  return omitUndefined({
    aggregate: listed(measures),
    group: listed(groups),
    having: having && shortenFilter(writeFilter(model, resource, having)),
    filter: filter && shortenFilter(writeFilter(model, resource, filter)),
    q: search && searchText(search),
    sort: listed(sort),
    page: pageWords(resource, page),
  });
}
