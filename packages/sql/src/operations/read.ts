import { allMaybePromises, mapMaybePromise } from "@bifocal/core/internal";
import {
  type AggregateQuery,
  type Key,
  type KeysQuery,
  type ListQuery,
  type LockQuery,
  type MaybePromise,
  type ParentGroups,
  type PerParentAggregateQuery,
  type PerParentQuery,
  type Row,
  type StoreContext,
  type StoreGroups,
  type StorePage,
  type TextPage,
  type TextQuery,
  tokenOf,
} from "@bifocal/core/store";
import type { Plan } from "../plan.ts";
import { recording } from "../explain/recording.ts";
import { aggregatePerShape, aggregateShape, planAggregate, planAggregatePer } from "../statement/aggregate.ts";
import { keysShape, planKeys, possibleKeys } from "../statement/read-keys.ts";
import { countShape, listShape, planCount, planList } from "../statement/read-list.ts";
import { countPerShape, perParentShape, planCountPer, planPerParent } from "../statement/read-per-parent.ts";
import { canMakeTexts, planTexts, textsShape } from "../statement/read-texts.ts";
import type { Sql } from "../dialect/dialect.ts";
import { planRead } from "../statement/statement-plan.ts";
import { ask, type StoreHandle } from "./ask.ts";

/**
 * Writes of a transaction can depend on the rows that it read. These must therefore be the latest, and must not change
 * until it ends.
 */
function lockOf({ dialect, isWithin }: StoreHandle): Sql | undefined {
  return isWithin ? dialect.forShare : undefined;
}

function named(name: string, lock: Sql | undefined): string {
  return lock === undefined ? name : `${name} locked`;
}

export function byKeys(handle: StoreHandle, query: KeysQuery, context: StoreContext): MaybePromise<readonly Row[]> {
  const { dialect, tables } = handle;
  const resource = query.resource.name;
  const keys = possibleKeys(tables.of(resource), query.keys);
  if (keys.length === 0) return [];
  const lock = lockOf(handle);
  const possible = { ...query, keys };
  const shape = keysShape(dialect, possible, named("", lock));
  const plan = () => planKeys(dialect, tables, possible, lock);
  return ask(handle, { shape, plan, resource, context }, (read, { rows }) => read(rows));
}

/** Locks rows like a deletion, so that no other transaction can reference them. */
export function lockRows(handle: StoreHandle, query: LockQuery, context: StoreContext): MaybePromise<void> {
  const { dialect, tables } = handle;
  const { resource } = query;
  const keys = { ...query, fields: new Set(resource.key) };
  const shape = keysShape(dialect, keys, " for update");
  const plan = () => planKeys(dialect, tables, keys, dialect.forUpdate);
  return ask(handle, { shape, plan, resource: resource.name, context }, () => {});
}

export function list(handle: StoreHandle, query: ListQuery, context: StoreContext): MaybePromise<StorePage> {
  const { dialect, tables, isWithin } = handle;
  const lock = lockOf(handle);
  const shape = listShape(dialect, named("list", lock), query);
  const plan = () => planRead(dialect, [query.filter], (of) => planList(of, tables, query, lock));
  const asked = { shape, plan, resource: query.resource.name, context };
  const page = ask(handle, asked, (read, { rows }) => read(rows, query));
  if (query.count !== true) return page;
  // A connection runs one statement at a time.
  if (isWithin)
    return mapMaybePromise(page, (read) =>
      mapMaybePromise(count(handle, query, context), (total) => ({ ...read, total })),
    );
  const both = allMaybePromises<StorePage | number>([page, count(handle, query, context)]);
  return mapMaybePromise(both, ([read, total]) => ({ ...(read as StorePage), total: total as number }));
}

function count(handle: StoreHandle, query: ListQuery, context: StoreContext): MaybePromise<number> {
  const { dialect, tables } = handle;
  const lock = lockOf(handle);
  const plan = () => planRead(dialect, [query.filter], (of) => planCount(of, tables, query, lock));
  const asked = {
    shape: countShape(dialect, named("count", lock), query),
    plan,
    resource: query.resource.name,
    context,
  };
  return ask(handle, asked, (read, { rows }) => read(rows));
}

export function aggregate(
  handle: StoreHandle,
  query: AggregateQuery,
  context: StoreContext,
): MaybePromise<StoreGroups> {
  const { dialect, tables } = handle;
  const lock = lockOf(handle);
  const shape = aggregateShape(dialect, named("aggregate", lock), query);
  const plan = () => planRead(dialect, [query.filter], (of) => planAggregate(of, tables, query, lock));
  const asked = { shape, plan, resource: query.resource.name, context };
  return ask(handle, asked, (read, { rows }) => read(rows, query));
}

export function aggregatePer(
  handle: StoreHandle,
  query: PerParentAggregateQuery,
  context: StoreContext,
): MaybePromise<ParentGroups> {
  const { dialect, tables } = handle;
  const lock = lockOf(handle);
  const shape = aggregatePerShape(dialect, named("aggregate per", lock), query);
  const plan = () => planRead(dialect, [query.filter], (of) => planAggregatePer(of, tables, query, lock));
  const asked = { shape, plan, resource: query.relation.target, context };
  return ask(handle, asked, (read, { rows }) => read(rows, query));
}

export function listPer(
  handle: StoreHandle,
  query: PerParentQuery,
  context: StoreContext,
): MaybePromise<readonly StorePage[]> {
  const { dialect, tables } = handle;
  const resource = query.relation.target;
  const lock = lockOf(handle);
  const shape = perParentShape(dialect, named("per", lock), query);
  const plan = () => planRead(dialect, [query.filter], (of) => planPerParent(of, tables, query, lock));
  const pages = ask(handle, { shape, plan, resource, context }, (read, { rows }) => read(rows, query));
  if (query.count !== true) return pages;
  const counted = {
    shape: countPerShape(dialect, named("count per", lock), query),
    plan: () => planRead(dialect, [query.filter], (of) => planCountPer(of, tables, query, lock)),
  };
  return mapMaybePromise(pages, (read) =>
    mapMaybePromise(
      ask(handle, { ...counted, resource, context }, (readCounts, { rows }) => readCounts(rows)),
      (totals) => read.map((page, at) => ({ ...page, total: totals.get(tokenOf(query.parents[at] as Key)) ?? 0 })),
    ),
  );
}

/** Returns `undefined` if the single-statement plan doesn't apply. */
export function listTexts(
  handle: StoreHandle,
  query: TextQuery,
  context: StoreContext,
): MaybePromise<TextPage | undefined> {
  const { dialect, tables, choice } = handle;
  if (planOf(handle, query, context) === "flat") return undefined;
  if (!canMakeTexts(dialect, tables, query)) {
    choice.declined(query, context);
    choice.answered(context);
    return undefined;
  }
  const plan = () => planRead(dialect, filtersOf(query), (of) => planTexts(of, tables, query));
  const asked = { shape: textsShape(dialect, query), plan, resource: query.resource.name, context };
  return ask(handle, asked, (read, { rows }) => {
    const page = read(rows, query);
    if (page === undefined) choice.declined(query, context);
    return page;
  });
}

function planOf({ choice }: StoreHandle, query: TextQuery, context: StoreContext): Plan {
  const notes = recording();
  if (notes === undefined) return choice.next(query, context);
  const { plan, text } = choice.explain(query);
  notes.choices.push(text);
  return plan;
}

function filtersOf({ filter, related }: Pick<TextQuery, "filter" | "related">): readonly TextQuery["filter"][] {
  return [filter, ...[...related.values()].flatMap(filtersOf)];
}
