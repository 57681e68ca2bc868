import type { Key, RelationModel, Row } from "../../model/model.ts";
import { type Token, tokenIn, tokenOf, tokenReader } from "../../model/reference.ts";
import { ALWAYS, andFilters } from "../../operation/filter.ts";
import { valueFilter } from "../../operation/keys-filter.ts";
import type { RowPage } from "../../operation/visible-rows.ts";
import type { PerParentQuery, StorePage } from "../../store/store.ts";
import { allMaybePromises, type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import type { OperationContext } from "../operation-context.ts";
import { computeRows } from "./compute-rows.ts";
import { Level, type RelatedRows } from "./level.ts";
import { matchRows } from "./match-rows.ts";
import type { SelectionPlan, RelationPlan } from "./plan-selection.ts";
import { type Places, referencesOf } from "./references-of.ts";
import { readRelatedGroups } from "./read-related-groups.ts";
import { createPage, listQuery, shownRows } from "./read-page.ts";
import { storeRelatedValues } from "./read-related-values.ts";
import { readReferenced } from "./read-referenced.ts";
import { storeFilter } from "./rewrite-related.ts";

/** The rows from which a relation was followed. */
interface Above {
  readonly relation: RelationModel;
  readonly rows: readonly Row[];
}

/**
 * Computes fields of some rows and reads everything below the rows, with each relation once for all of them. The rows
 * of the level are in the same order. `above` is the relation that led to these rows.
 */
export function readLevel(
  context: OperationContext,
  plan: SelectionPlan,
  rows: readonly Row[],
  above?: Above,
): MaybePromise<Level> {
  return rows.length === 0 || plan.computed.length === 0
    ? readBelow(context, plan, rows, above)
    : computeLevel(context, plan, rows, above);
}

function computeLevel(
  context: OperationContext,
  plan: SelectionPlan,
  rows: readonly Row[],
  above: Above | undefined,
): MaybePromise<Level> {
  return mapMaybePromise(computeRows(context, plan, rows), (complete) => readBelow(context, plan, complete, above));
}

function readBelow(
  context: OperationContext,
  plan: SelectionPlan,
  rows: readonly Row[],
  above: Above | undefined,
): MaybePromise<Level> {
  const isFlat = rows.length === 0 || (plan.relations.length === 0 && plan.byRow.length === 0);
  return isFlat ? new Level(plan, rows) : readRelations(context, plan, rows, above);
}

/** Reads the relations of a level, and evaluates the rules of its fields. */
function readRelations(
  context: OperationContext,
  plan: SelectionPlan,
  rows: readonly Row[],
  above: Above | undefined,
): MaybePromise<Level> {
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
  const beneath = { relation: plan.relation, rows };
  const { places, values: parents } = referencesOf(plan.relation, rows);
  if (plan.relation.kind === "belongsTo") {
    const known = above !== undefined && plan.goesBack ? ownersAbove(above, places) : undefined;
    const owners = known ?? findOwners(context, plan, parents);
    return mapMaybePromise(owners, (found) =>
      mapMaybePromise(readLevel(context, plan.plan, found, beneath), (level) => toOwners(plan, level, places)),
    );
  }
  if (plan.groups !== undefined) return readRelatedGroups(context, plan, plan.groups, parents);
  return mapMaybePromise(readPages(context, plan, parents), (read) => {
    const pages = plan.page.size > 0 ? read : read.map((page) => shownRows(plan, page));
    // Everything below the rows of all pages is read in one go.
    const reading = readLevel(context, plan.plan, rowsOf(pages), beneath);
    return mapMaybePromise(reading, (level) =>
      plan.relation.many
        ? toPages(context, plan, parents, completePages(plan.plan, pages, level), level)
        : toOnes(plan, parents, pages, level),
    );
  });
}

/** Takes a tenth of the time of `flatMap`. */
function rowsOf(pages: readonly StorePage[]): readonly Row[] {
  const all: Row[] = [];
  for (const { rows } of pages) for (const row of rows) all.push(row);
  return all;
}

/** Returns the pages with the rows of the level, which contain the computed fields. */
function completePages({ computed }: SelectionPlan, pages: readonly StorePage[], level: Level): readonly StorePage[] {
  if (computed.length === 0) return pages;
  let end = 0;
  return pages.map((page) => ({ ...page, rows: level.rows.slice(end, (end += page.rows.length)) }));
}

function findOwners(
  context: OperationContext,
  { relation, target, filter: visible, plan }: RelationPlan,
  values: readonly Key[],
): MaybePromise<readonly Row[]> {
  if (values.length === 0) return [];
  return mapMaybePromise(storeFilter(context, target, visible), (filter) =>
    readReferenced(context, relation, {
      resource: target,
      keys: values,
      filter,
      fields: plan.needed,
      relatedValues: storeRelatedValues(context, plan),
    }),
  );
}

/** Returns the rows of the enclosing level that a relation leads back to, so that they aren't read again. */
function ownersAbove({ relation, rows }: Above, places: Places): readonly Row[] {
  const tokenOfRow = tokenReader(relation.local);
  return rows.filter((row) => places.has(tokenOfRow(row) as Token));
}

function toOwners(plan: RelationPlan, level: Level, places: Places): RelatedRows {
  const { rows } = level;
  const tokenOfRow = tokenReader(plan.relation.foreign);
  let at = 0;
  for (const token of places.keys()) {
    const row = rows[at++];
    if (row === undefined || tokenOfRow(row) !== token) break;
  }
  const isAsAsked = rows.length === places.size && at === places.size;
  return { ...toOne(plan, level, isAsAsked ? places : placesOf(plan.relation, rows)), owners: rows };
}

/** Returns the index of each row by the value that other rows refer to. */
function placesOf({ foreign }: RelationModel, rows: readonly Row[]): Places {
  const tokenOfRow = tokenReader(foreign);
  return new Map(rows.map((row, at) => [tokenOfRow(row) as Token, at]));
}

/** For `hasOne`, whose pages have at most one row. */
function toOnes(plan: RelationPlan, parents: readonly Key[], pages: readonly StorePage[], level: Level): RelatedRows {
  const found = new Map<Token, number>();
  let index = 0;
  for (const [parent, { rows }] of pages.entries()) {
    if (rows.length > 0) found.set(tokenOf(parents[parent] as Key), index);
    index += rows.length;
  }
  return toOne(plan, level, found);
}

function toOne({ as, relation }: RelationPlan, level: Level, found: Places): RelatedRows {
  const { local } = relation;
  const [only] = local as readonly [string];
  const isSingle = local.length === 1;
  const indexOf = (row: Row): number => found.get((isSingle ? row[only] : tokenIn(local, row)) as Token) ?? -1;
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
  parents: readonly Key[],
  pages: readonly StorePage[],
  level: Level,
): RelatedRows {
  const { local } = plan.relation;
  const found = new Map<Token, RowPage>();
  for (const [index, page] of pages.entries()) {
    found.set(tokenOf(parents[index] as Key), createPage(context, plan, page, level));
  }
  const none: StorePage = { rows: [], more: false, total: plan.count === false ? undefined : 0 };
  const nothing = createPage(context, plan, none, new Level(plan.plan, []));
  const [only] = local as readonly [string];
  const isSingle = local.length === 1;
  const pageOf = (row: Row): RowPage => found.get((isSingle ? row[only] : tokenIn(local, row)) as Token) ?? nothing;
  return { as: plan.as, level, related: level.related, pageOf };
}

function readPages(
  context: OperationContext,
  plan: RelationPlan,
  parents: readonly Key[],
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
function readOnePage(context: OperationContext, query: PerParentQuery, parent: Key): MaybePromise<StorePage> {
  const { relation, parents: _, ...list } = query;
  const filter = andFilters(valueFilter(relation.foreign, parent), query.filter ?? ALWAYS);
  return context.storeOf(relation.target).list({ ...list, filter }, context.deadline);
}
