import type { Json, ListQuery, StorePage } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import type { Tables } from "../table/table.ts";
import { buildFilter } from "./filter.ts";
import { before, behind } from "./place.ts";
import type { StatementPlan } from "./statement-plan.ts";
import { type Build, createBuild, createScope, type Scope, tableAs } from "./scope.ts";
import { numbersIn, rowReader, selectColumns, selectList, selectValues } from "./select.ts";
import { findShared, shareValues } from "./shared-values.ts";
import { StatementShape } from "./statement-shape.ts";
import { slot } from "./slot.ts";
import { buildSort, flip, orderBy, type SortColumn } from "./sort.ts";

/** The part of a list query that lists of a single parent also have. */
export type RangeQuery = Pick<
  ListQuery,
  "resource" | "filter" | "sort" | "limit" | "offset" | "after" | "before" | "fromEnd" | "fields" | "relatedValues"
>;

export function listShape(dialect: Dialect, name: string, query: RangeQuery): StatementShape {
  const { resource, filter, sort, limit, offset, after, before: until, fromEnd } = query;
  const shape = new StatementShape(dialect, `${name} ${resource.name} ${limit}${fromEnd === true ? "<" : ">"}`);
  shape
    .fields(query.fields)
    .share(findShared(dialect, query))
    .relatedValues(query.relatedValues)
    .sort(sort)
    .filter(filter)
    .place(" after", after)
    .place(" before", until);
  return shape.skip(offset);
}

/** The conditions, order and limits of a page, in the order in which the shape lists their values. */
export interface PageClauses {
  readonly conditions: readonly Sql[];
  readonly joins: readonly Sql[];
  readonly columns: readonly SortColumn[];
  readonly order: Sql;
  readonly offset: Sql | undefined;
}

export function buildRange(build: Build, scope: Scope, query: RangeQuery): PageClauses {
  const { filter, sort, offset, after, before: until, fromEnd } = query;
  const { columns, joins: related } = buildSort(build, scope, sort);
  const joins = [...(scope.shared?.joins ?? []), ...related];
  const conditions = guarded(build, scope);
  if (filter !== undefined) conditions.push(buildFilter(build, scope, filter));
  if (after !== undefined) conditions.push(behind(build, columns, after));
  if (until !== undefined) conditions.push(before(build, columns, until));
  const order = orderBy(build, fromEnd === true ? flip(columns) : columns);
  const skip = offset === undefined || offset === 0 ? undefined : slot(build.slots.next(), offsetValue);
  return { conditions, joins, columns, order, offset: skip };
}

/** The guard comes first, so that it is also evaluated for rows that don't match. */
export function guarded({ dialect }: Build, scope: Scope): Sql[] {
  return dialect.guard === undefined ? [] : [dialect.guard(scope)];
}

const offsetValue = (value: Json): number => value as number;

export function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`` : sql` where ${sql.join(conditions, sql` and `)}`;
}

/** A statement for one page, and the function that converts its result. */
export interface ReadPage {
  readonly statement: Sql;
  readonly toPage: (rows: readonly (readonly unknown[])[], query: RangeQuery) => StorePage;
}

export function planList(
  dialect: Dialect,
  tables: Tables,
  query: ListQuery,
  lock: Sql = sql``,
): StatementPlan<ReadPage["toPage"]> {
  const build = createBuild(dialect, tables);
  const scope = shareValues(build, createScope(build, tables.of(query.resource.name)), query);
  const own = selectColumns(scope.table, query.fields);
  const values = selectValues(build, scope, query.relatedValues, own.length);
  const columns = [...own, ...values.columns];
  const range = buildRange(build, scope, query);
  const places = farPlaces(dialect, range.columns, columns.length);
  const list = [...selectList(dialect, scope, own), ...values.list, ...places];
  const cut = dialect.limit(query.limit + 1, range.offset);
  const statement = sql`select ${sql.join(list)} from ${tableAs(scope)}${sql.join(range.joins, sql``)}${where(range.conditions)}${range.order}${cut}${lock}`;
  const read = pageReader(rowReader(columns), range.columns, columns.length);
  return { statement, read, numbers: numbersIn(columns) };
}

/** Selects the values of sort terms on related rows, which the row itself doesn't contain. */
export function farPlaces(dialect: Dialect, sort: readonly SortColumn[], start: number): readonly Sql[] {
  return sort
    .filter(({ isFar }) => isFar)
    .map(({ column, value }, at) => sql`${dialect.readable(column, value)} as ${sql.id(`c${start + at}`)}`);
}

export function pageReader(
  readRow: ReturnType<typeof rowReader>,
  sort: readonly SortColumn[],
  farStart: number,
): ReadPage["toPage"] {
  const hasFar = sort.some(({ isFar }) => isFar);
  return (found, { limit, fromEnd }) => {
    const cut = found.length > limit ? found.slice(0, limit) : found;
    const shown = fromEnd === true ? cut.toReversed() : cut;
    const rows = shown.map(readRow);
    const page = { rows, more: found.length > limit };
    if (!hasFar) return page;
    const position = (index: number): Json[] => {
      let far = farStart;
      return sort.map(({ column, isFar }) => {
        if (!isFar) return rows[index]?.[column.field.name] ?? null;
        const raw = shown[index]?.[far++];
        return raw === null || raw === undefined ? null : column.decode(raw);
      });
    };
    return { ...page, position };
  };
}

/** Plans the count of all matching rows, independent of the page. */
export function planCount(
  dialect: Dialect,
  tables: Tables,
  { resource, filter, countMost }: ListQuery,
  lock: Sql = sql``,
): StatementPlan<ReadCount> {
  const build = createBuild(dialect, tables);
  const scope = createScope(build, tables.of(resource.name));
  // Without a condition, SQLite counts without reading each row.
  const conditions = filter === undefined ? [] : [...guarded(build, scope), buildFilter(build, scope, filter)];
  const rows = sql`from ${tableAs(scope)}${where(conditions)}`;
  return { statement: sql`select count(*) as c0 ${upTo(dialect, rows, countMost, lock)}`, read: readCount };
}

/** Limits a count to `most` rows. */
export function upTo(dialect: Dialect, rows: Sql, most: number | undefined, lock: Sql = sql``): Sql {
  if (most === undefined) return sql`${rows}${lock}`;
  return sql`from (select 1 as one ${rows}${dialect.limit(most, undefined)}${lock}) as w`;
}

export type ReadCount = (rows: readonly (readonly unknown[])[]) => number;

const readCount: ReadCount = (rows) => Number(rows[0]?.[0] ?? 0);

export function countShape(dialect: Dialect, name: string, { resource, filter, countMost }: ListQuery): StatementShape {
  return new StatementShape(dialect, `${name} ${resource.name} ${countMost ?? ""} `).filter(filter);
}
