import type { Key, Row } from "../../model/model.ts";
import { type Token, tokenOf, tokenReader } from "../../model/reference.ts";
import { ALWAYS, andFilters } from "../../operation/filter.ts";
import { valueFilter } from "../../operation/keys-filter.ts";
import type { GroupPage } from "../../operation/visible-rows.ts";
import { groupRows } from "../../store/aggregate/group-rows.ts";
import type { ParentGroups, PerParentAggregateQuery, StoreGroup } from "../../store/store.ts";
import type { GroupsPlan } from "../aggregate/plan-groups.ts";
import { checkGroups, createRowLimit } from "../aggregate/read-groups.ts";
import { storeGroupTerms } from "../aggregate/store-group-terms.ts";
import type { OperationContext } from "../operation-context.ts";
import { eachRow } from "./each-row.ts";
import { Level, type RelatedRows } from "./level.ts";
import type { RelationPlan } from "./plan-selection.ts";
import { storeFilter } from "./rewrite-related.ts";

/** Groups the related rows of each parent, with one call of the store for all parents. */
export async function readRelatedGroups(
  context: OperationContext,
  { as, relation, target, filter, plan }: RelationPlan,
  { query, toPage }: GroupsPlan,
  parents: readonly Key[],
): Promise<RelatedRows> {
  const where = await storeFilter(context, target, filter);
  const groupBy = await storeGroupTerms(context, target, query.groupBy);
  const read = await groupParents(context, { ...query, groupBy, filter: where, relation, parents });
  const count = read.groups.reduce((sum, own) => sum + own.length, 0);
  await checkGroups(context, target, count, read.more);
  const found = new Map(parents.map((parent, at) => [tokenOf(parent), toPage(read.groups[at] ?? [])]));
  const tokenIn = tokenReader(relation.local);
  let nothing: GroupPage | undefined;
  const groupsOf = (row: Row): GroupPage =>
    found.get(tokenIn(row) as Token) ?? (nothing ??= toPage(groupRows(query).finish()));
  const level = new Level(plan, []);
  return { as, level, related: level.related, groupsOf };
}

async function groupParents(context: OperationContext, query: PerParentAggregateQuery): Promise<ParentGroups> {
  const { relation, parents } = query;
  if (parents.length === 0) return { groups: [], more: false };
  const store = context.storeOf(relation.target);
  const isOneStore = relation.through === undefined || context.storeOf(relation.source) === store;
  if (store.aggregatePer === undefined || !isOneStore) return groupHere(context, query);
  return store.aggregatePer(query, context.deadline);
}

/** Reads the rows of each parent for a store that can't group them. */
async function groupHere(context: OperationContext, query: PerParentAggregateQuery): Promise<ParentGroups> {
  const { resource, relation, parents, filter, limit } = query;
  const countRow = createRowLimit(resource);
  const groups: (readonly StoreGroup[])[] = [];
  for (const parent of parents) {
    const grouped = groupRows(query);
    const add = (row: Row): void => {
      countRow();
      grouped.add(row);
    };
    if (relation.through === undefined) {
      const own = andFilters(valueFilter(relation.foreign, parent), filter ?? ALWAYS);
      await eachRow(context, resource, own, add);
    } else for (const row of await linkedRows(context, query, parent)) add(row);
    groups.push(grouped.finish());
  }
  const count = groups.reduce((sum, own) => sum + own.length, 0);
  return { groups, more: count > limit };
}

/** Returns the rows that are linked to a parent. More than the engine groups are never read. */
async function linkedRows(
  { storeOf, deadline }: OperationContext,
  { resource, relation, filter }: PerParentAggregateQuery,
  parent: Key,
): Promise<readonly Row[]> {
  const sort = resource.key.map((field) => ({ path: [field] as const, descending: false }));
  const query = { resource, relation, parents: [parent], filter, sort, limit: MAX_LINKED };
  const [page] = await storeOf(relation.target).listPer(query, deadline);
  return page?.rows ?? [];
}

const MAX_LINKED = 10_001;
