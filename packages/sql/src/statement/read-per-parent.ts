import type { Json, PerParentQuery, StorePage } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { columnOf, type Tables } from "../table/table.ts";
import { buildFilter } from "./filter.ts";
import { fromColumns, inColumns } from "./in-columns.ts";
import type { StatementPlan } from "./statement-plan.ts";
import { buildRange, farPlaces, guarded, listShape, pageReader, type PageClauses, upTo, where } from "./read-list.ts";
import { type Build, createBuild, createScope, type Scope, tableAs, tableName } from "./scope.ts";
import { rowReader, selectColumns, selectList } from "./select.ts";
import { StatementShape } from "./statement-shape.ts";

export type ReadPages = (rows: readonly (readonly unknown[])[], query: PerParentQuery) => readonly StorePage[];

export function perParentShape(dialect: Dialect, start: string, query: PerParentQuery): StatementShape {
  const { source, name, through } = query.relation;
  // The inverse of a relation can have the same name and, within one resource, the same source. `through.from`
  // distinguishes them.
  return listShape(dialect, `${start} ${source}.${name} ${through?.from ?? ""}`, query).list(query.parents);
}

/** The rows of a relation, each with the value of its parent. */
interface Related {
  readonly scope: Scope;
  /** The expression for the parent's value. */
  readonly parent: Sql;
  /** `books as t0`, or the link table joined with it. */
  readonly from: Sql;
}

function relate(build: Build, { relation }: PerParentQuery): Related {
  const scope = createScope(build, build.tables.of(relation.target));
  const foreign = scope.value(relation.foreign);
  if (relation.through === undefined) return { scope, parent: foreign, from: tableAs(scope) };
  const link = build.tables.link(relation);
  const alias = build.alias();
  const from = sql`${tableName(link)} as ${sql.id(alias)} inner join ${tableAs(scope)} on ${foreign} = ${sql.id(alias, link.to)}`;
  return { scope, parent: sql.id(alias, link.from), from };
}

/**
 * Plans one statement for the pages of all parents. It uses a lateral join with one row per parent if the database has
 * it, and row numbers otherwise.
 */
export function planPerParent(
  dialect: Dialect,
  tables: Tables,
  query: PerParentQuery,
  lock: Sql = sql``,
): StatementPlan<ReadPages> {
  const build = createBuild(dialect, tables);
  const related = relate(build, query);
  const { scope } = related;
  const columns = selectColumns(scope.table, query.fields);
  const range = buildRange(build, scope, query);
  const parentColumn = columnOf(tables.of(query.relation.source), query.relation.local);
  const parents = { index: build.slots.next(), slots: dialect.slotsOf(query.parents.length) };
  const { decode } = parentColumn;
  const values = dialect.operandList?.(parentColumn, parents.index);
  const { listOf } = dialect;
  if (values !== undefined && listOf !== undefined) {
    const list = [...selectList(dialect, scope, columns), ...farPlaces(dialect, range.columns, columns.length)];
    const parts = { list, query, parents, type: parentColumn };
    const far = range.columns.filter(({ isFar }) => isFar).map(({ column }) => column);
    const lists = [...columns, ...far];
    const statement = lateral(build, related, range, parts, (rows) => inColumns(listOf, lists, rows), values);
    const toPage = pageReader(rowReader(columns), range.columns, columns.length);
    return { statement, read: listsReader(decode, toPage), isInColumns: true };
  }
  const list = [...selectList(dialect, scope, columns, 1), ...farPlaces(dialect, range.columns, columns.length + 1)];
  const toPage = pageReader(rowReader(columns, 1), range.columns, columns.length + 1);
  const parts = { list, query, parents, type: parentColumn };
  return { statement: numbered(build, related, range, parts, lock), read: pagesReader(decode, toPage) };
}

interface Parts {
  readonly list: readonly Sql[];
  readonly query: PerParentQuery;
  readonly parents: { readonly index: number; readonly slots: number };
  readonly type: Parameters<Dialect["isIn"]>[0];
}

/** PostgreSQL: reads the first rows of each parent from an index. */
function lateral(
  { dialect }: Build,
  { parent, from }: Related,
  range: PageClauses,
  { list, query, type }: Parts,
  together: (rows: Sql) => Sql,
  values: Sql,
): Sql {
  const conditions = [sql`${parent} = p.v`, ...range.conditions];
  const cut = dialect.limit(query.limit + 1, range.offset);
  const own = dialect.readable(type, sql`p.v`);
  const rows = sql`select ${sql.join(list)} from ${from}${sql.join(range.joins, sql``)}${where(conditions)}${range.order}${cut}`;
  return sql`select ${own} as p, t.* from unnest(${values}) as p(v) cross join lateral (${together(rows)}) as t`;
}

/** Numbers all rows of the parents, and keeps those whose numbers are on the page. */
function numbered(
  { dialect }: Build,
  { parent, from }: Related,
  range: PageClauses,
  { list, query, parents, type }: Parts,
  lock: Sql,
): Sql {
  const names = [sql.id("c0"), ...list.map((_, at) => sql.id(`c${at + 1}`))];
  const own = sql`${dialect.readable(type, parent)} as c0`;
  const number = sql`row_number() over (partition by ${parent}${range.order}) as n`;
  const conditions = [dialect.isIn(type, parent, parents), ...range.conditions];
  const rows = sql`select ${sql.join([own, ...list, number])} from ${from}${sql.join(range.joins, sql``)}${where(conditions)}${lock}`;
  const last = query.limit + 1;
  const wanted =
    range.offset === undefined
      ? sql`n <= ${sql.lit(last)}`
      : sql`n > ${range.offset} and n <= ${range.offset} + ${sql.lit(last)}`;
  return sql`select ${sql.join(names)} from (${rows}) as w where ${wanted} order by c0, n`;
}

/** Reads one row per parent, whose columns are lists. */
function listsReader(decode: (raw: unknown) => Json, toPage: ReturnType<typeof pageReader>): ReadPages {
  return (rows, query) => {
    const byParent = new Map(rows.map((row) => [decode(row[0]), row]));
    return query.parents.map((parent) => toPage(fromColumns(byParent.get(parent) ?? [], 1), query));
  };
}

function pagesReader(decode: (raw: unknown) => Json, toPage: ReturnType<typeof pageReader>): ReadPages {
  return (rows, query) => {
    const byParent = new Map<Json, (readonly unknown[])[]>();
    for (const row of rows) {
      const parent = decode(row[0]);
      const own = byParent.get(parent);
      if (own === undefined) byParent.set(parent, [row]);
      else own.push(row);
    }
    return query.parents.map((parent) => toPage(byParent.get(parent) ?? [], query));
  };
}

export type ReadCounts = (rows: readonly (readonly unknown[])[]) => ReadonlyMap<Json, number>;

/**
 * Plans a count of the rows of each parent. PostgreSQL stops at `countMost` for each parent. Other databases count the
 * rows of all parents in one pass, and the results are capped.
 */
export function planCountPer(
  dialect: Dialect,
  tables: Tables,
  query: PerParentQuery,
  lock: Sql = sql``,
): StatementPlan<ReadCounts> {
  const build = createBuild(dialect, tables);
  const { scope, parent, from } = relate(build, query);
  const filter = guarded(build, scope);
  if (query.filter !== undefined) filter.push(buildFilter(build, scope, query.filter));
  const column = columnOf(tables.of(query.relation.source), query.relation.local);
  const list = { index: build.slots.next(), slots: dialect.slotsOf(query.parents.length) };
  const { countMost = Number.POSITIVE_INFINITY } = query;
  const read: ReadCounts = (rows) =>
    new Map(rows.map((row) => [column.decode(row[0]), Math.min(Number(row[1]), countMost)]));
  const values = dialect.operandList?.(column, list.index);
  if (values !== undefined && query.countMost !== undefined) {
    const rows = sql`from ${from}${where([sql`${parent} = p.v`, ...filter])}`;
    const counted = sql`select count(*) as c1 ${upTo(dialect, rows, query.countMost)}`;
    const own = dialect.readable(column, sql`p.v`);
    return {
      statement: sql`select ${own} as c0, t.c1 from unnest(${values}) as p(v) cross join lateral (${counted}) as t`,
      read,
    };
  }
  const conditions = [...filter, dialect.isIn(column, parent, list)];
  const own = dialect.readable(column, parent);
  return {
    statement: sql`select ${own} as c0, count(*) as c1 from ${from}${where(conditions)} group by ${parent}${lock}`,
    read,
  };
}

export function countPerShape(
  dialect: Dialect,
  name: string,
  { relation, filter, parents, countMost }: PerParentQuery,
): StatementShape {
  return new StatementShape(dialect, `${name} ${relation.source}.${relation.name} ${countMost ?? ""} `)
    .filter(filter)
    .list(parents);
}
