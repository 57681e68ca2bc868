import type { RelationModel, Row } from "../../model/model.ts";
import { ALWAYS, andFilters } from "../../operation/filter.ts";
import type { RowPage } from "../../operation/visible-rows.ts";
import type { PerParentQuery, StorePage } from "../../store/store.ts";
import { allMaybePromises, type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import type { OperationContext } from "../operation-context.ts";
import { Level, type RelatedRows } from "./level.ts";
import { matchRows } from "./match-rows.ts";
import type { SelectionPlan, RelationPlan } from "./plan-selection.ts";
import { createPage, listQuery, shownRows } from "./read-page.ts";
import { storeFilter } from "./rewrite-related.ts";

type Value = string | number;
type Places = Map<Value, number>;

/** The rows from which a relation was followed. */
interface Above {
  readonly relation: RelationModel;
  readonly rows: readonly Row[];
}

/**
 * Reads everything below some rows, with each relation once for all of them. `above` is the relation that led to these
 * rows.
 */
export function readLevel(
  context: OperationContext,
  plan: SelectionPlan,
  rows: readonly Row[],
  above?: Above,
): MaybePromise<Level> {
  if (rows.length === 0 || (plan.relations.length === 0 && plan.byRow.length === 0)) return new Level(plan, rows);
  const reading = allMaybePromises(plan.relations.map((relation) => readRelation(context, relation, rows, above)));
  return mapMaybePromise(reading, (related) => {
    if (plan.byRow.length === 0) return new Level(plan, rows, related);
    const deciding = plan.byRow.map(async ({ name, filter }) => {
      return { name, matches: await matchRows(context, plan.resource, rows, filter) };
    });
    return Promise.all(deciding).then((decided) => new Level(plan, rows, related, decided));
  });
}

/** Reads a relation for all rows of a level. */
function readRelation(
  context: OperationContext,
  plan: RelationPlan,
  rows: readonly Row[],
  above: Above | undefined,
): MaybePromise<RelatedRows> {
  const { local } = plan.relation;
  const beneath = { relation: plan.relation, rows };
  const places: Places = new Map();
  for (const row of rows) {
    const value = row[local];
    const isValue = typeof value === "string" || typeof value === "number";
    if (isValue && !places.has(value)) places.set(value, places.size);
  }
  if (plan.relation.kind === "belongsTo") {
    const known = above !== undefined && plan.goesBack ? ownersAbove(above, places) : undefined;
    const owners = known ?? findOwners(context, plan, places);
    return mapMaybePromise(owners, (found) =>
      mapMaybePromise(readLevel(context, plan.plan, found, beneath), (level) => toOwners(plan, level, places)),
    );
  }
  const parents = [...places.keys()];
  return mapMaybePromise(readPages(context, plan, parents), (read) => {
    const pages = plan.page.size > 0 ? read : read.map((page) => shownRows(plan, page));
    // Everything below the rows of all pages is read in one go.
    const reading = readLevel(
      context,
      plan.plan,
      pages.flatMap((page) => page.rows),
      beneath,
    );
    return mapMaybePromise(reading, (level) =>
      plan.relation.many ? toPages(context, plan, parents, pages, level) : toOnes(plan, parents, pages, level),
    );
  });
}

function findOwners(
  context: OperationContext,
  { target, filter: visible, plan }: RelationPlan,
  places: Places,
): MaybePromise<readonly Row[]> {
  if (places.size === 0) return [];
  const keys = [...places.keys()];
  return mapMaybePromise(storeFilter(context, target, visible), (filter) =>
    context.storeOf(target.name).byKeys({ resource: target, keys, filter, fields: plan.needed }, context.deadline),
  );
}

/** Returns the rows of the enclosing level that a relation leads back to, so that they aren't read again. */
function ownersAbove({ relation, rows }: Above, places: Places): readonly Row[] {
  return rows.filter((row) => places.has(row[relation.local] as Value));
}

function toOwners(plan: RelationPlan, level: Level, places: Places): RelatedRows {
  const { rows } = level;
  let at = 0;
  for (const key of places.keys()) if (rows[at++]?.[plan.relation.foreign] !== key) break;
  const isAsAsked = rows.length === places.size && at === places.size;
  return toOne(plan, level, isAsAsked ? places : placesOf(plan.relation, rows));
}

/** Returns the index of each row by the value that other rows refer to. */
function placesOf({ foreign }: RelationModel, rows: readonly Row[]): Places {
  const places: Places = new Map();
  for (const [at, row] of rows.entries()) places.set(row[foreign] as Value, at);
  return places;
}

/** For `hasOne`, whose pages have at most one row. */
function toOnes(plan: RelationPlan, parents: readonly Value[], pages: readonly StorePage[], level: Level): RelatedRows {
  const found: Places = new Map();
  let index = 0;
  for (const [parent, { rows }] of pages.entries()) {
    if (rows.length > 0) found.set(parents[parent] as Value, index);
    index += rows.length;
  }
  return toOne(plan, level, found);
}

function toOne({ as, relation }: RelationPlan, level: Level, found: ReadonlyMap<Value, number>): RelatedRows {
  const indexOf = (row: Row): number => found.get(row[relation.local] as Value) ?? -1;
  return {
    as,
    level,
    related: level.related,
    rowOf: (row) => level.rows[indexOf(row)] ?? null,
  };
}

function toPages(
  context: OperationContext,
  plan: RelationPlan,
  parents: readonly Value[],
  pages: readonly StorePage[],
  level: Level,
): RelatedRows {
  const found = new Map<Value, RowPage>();
  for (const [index, page] of pages.entries()) {
    found.set(parents[index] as Value, createPage(context, plan, page, level));
  }
  const none: StorePage = { rows: [], more: false, total: plan.count === false ? undefined : 0 };
  const nothing = createPage(context, plan, none, new Level(plan.plan, []));
  const pageOf = (row: Row): RowPage => found.get(row[plan.relation.local] as Value) ?? nothing;
  return { as: plan.as, level, related: level.related, pageOf };
}

function readPages(
  context: OperationContext,
  plan: RelationPlan,
  parents: readonly Value[],
): MaybePromise<readonly StorePage[]> {
  if (parents.length === 0) return [];
  const { relation, target } = plan;
  const store = context.storeOf(target.name);
  return mapMaybePromise(listQuery(context, plan), (list) => {
    const query = { ...list, relation, parents };
    const isOneStore = relation.through === undefined || context.storeOf(relation.source) === store;
    if (store.capabilities.listPer && isOneStore) return store.listPer(query, context.deadline);
    return allMaybePromises(parents.map((parent) => readOnePage(context, query, parent)));
  });
}

/** Reads the list of a single parent, for a store without `listPer`. */
function readOnePage(context: OperationContext, query: PerParentQuery, parent: Value): MaybePromise<StorePage> {
  const { relation, parents: _, ...list } = query;
  const own = { kind: "compare", field: relation.foreign, operator: "eq", value: parent } as const;
  const filter = andFilters(own, query.filter ?? ALWAYS);
  return context.storeOf(relation.target).list({ ...list, filter }, context.deadline);
}
