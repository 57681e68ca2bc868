import { refuse } from "../../errors/refuse.ts";
import type { ResourceModel } from "../../model/model.ts";
import { GROUPS_PER_POINT } from "../../limits/cost.ts";
import type { Filter } from "../../operation/filter.ts";
import { groupRows } from "../../store/aggregate/group-rows.ts";
import type { AggregateQuery, StoreGroup, StoreGroups } from "../../store/store.ts";
import type { OperationContext } from "../operation-context.ts";
import { eachRow } from "../read/each-row.ts";
import { storeFilter } from "../read/rewrite-related.ts";
import type { GroupsPlan } from "./plan-groups.ts";
import { storeGroupTerms } from "./store-group-terms.ts";

/** Maximum number of rows that the engine groups for a store that can't do it. */
const MAX_ROWS = 10_000;

/** Reads the groups of the matching rows. `filter` selects rows that the caller can see. */
export async function readGroups(
  context: OperationContext,
  { target, query }: GroupsPlan,
  filter: Filter | undefined,
): Promise<readonly StoreGroup[]> {
  const store = context.storeOf(target.name);
  const groupBy = await storeGroupTerms(context, target, query.groupBy);
  const asked = { ...query, groupBy, filter: await storeFilter(context, target, filter) };
  const read =
    store.aggregate === undefined ? await groupHere(context, asked) : await store.aggregate(asked, context.deadline);
  await checkGroups(context, target, read.groups.length, read.more);
  return read.groups;
}

/** Charges for the groups that were read. Throws BAD_REQUEST if there are more than the limit. */
export async function checkGroups(
  { engine, caller }: OperationContext,
  target: ResourceModel,
  count: number,
  more: boolean,
): Promise<void> {
  if (more) {
    const most = engine.limits.query.groups.toLocaleString("en");
    const message = `The ${target.plural} have more than ${most} groups (limit 'groups'). Use a narrower filter, or group by other fields.`;
    refuse(["group"], "too_many_groups", message);
  }
  await engine.charge(caller, Math.floor(count / GROUPS_PER_POINT));
}

async function groupHere(context: OperationContext, query: AggregateQuery): Promise<StoreGroups> {
  const { resource, filter, limit } = query;
  const grouped = groupRows(query);
  const countRow = createRowLimit(resource);
  await eachRow(context, resource, filter, (row) => {
    countRow();
    grouped.add(row);
  });
  const groups = grouped.finish();
  return { groups: groups.slice(0, limit), more: groups.length > limit };
}

/** Returns a function to call for each row. It rejects more rows than the engine groups for a store that can't. */
export function createRowLimit({ plural }: ResourceModel): () => void {
  let rows = 0;
  return () => {
    if (++rows <= MAX_ROWS) return;
    const message = `More than ${MAX_ROWS.toLocaleString("en")} ${plural} match, and their store can't group that many. Use a narrower filter.`;
    refuse(["filter"], "too_many_rows", message);
  };
}
