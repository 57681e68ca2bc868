import { type PerParentQuery, type StorePage, type Token, tokenOf } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import type { Column } from "../table/column.ts";
import { columnOf, type Tables } from "../table/table.ts";
import { buildFilter } from "./filter.ts";
import { allEqual, isInKeys, operandLists } from "./row-values.ts";
import type { StatementPlan } from "./statement-plan.ts";
import { buildRange, farPlaces, guarded, listShape, pageReader, type PageClauses, upTo, where } from "./read-list.ts";
import { type Build, createBuild, createScope, type Scope, tableAs, tableName } from "./scope.ts";
import { numbersIn, rowReader, selectColumns, selectList, selectValues } from "./select.ts";
import { shareValues } from "./shared-values.ts";
import { StatementShape } from "./statement-shape.ts";

export type ReadPages = (rows: readonly (readonly unknown[])[], query: PerParentQuery) => readonly StorePage[];

export function perParentShape(dialect: Dialect, start: string, query: PerParentQuery): StatementShape {
  const { source, name, through } = query.relation;
  // The inverse of a relation can have the same name and, within one resource, the same source. `through.from`
  // distinguishes them.
  return listShape(dialect, `${start} ${source}.${name} ${through?.from.join() ?? ""}`, query).list(query.parents);
}

/** The rows of a relation, each with the values of its parent. */
export interface Related {
  readonly scope: Scope;
  /** The expressions for the parent's values. */
  readonly parent: readonly Sql[];
  /** `books as t0`, or the link table joined with it. */
  readonly from: Sql;
}

export function relate(build: Build, { relation }: Pick<PerParentQuery, "relation">): Related {
  const scope = createScope(build, build.tables.of(relation.target));
  const foreign = relation.foreign.map(scope.value);
  if (relation.through === undefined) return { scope, parent: foreign, from: tableAs(scope) };
  const link = build.tables.link(relation);
  const alias = build.alias();
  const ids = (names: readonly string[]): readonly Sql[] => names.map((name) => sql.id(alias, name));
  const from = sql`${tableName(link)} as ${sql.id(alias)} inner join ${tableAs(scope)} on ${allEqual(foreign, ids(link.to))}`;
  return { scope, parent: ids(link.from), from };
}

/**
 * Plans one statement for the pages of all parents. It uses a lateral join if the database has it, and row numbers
 * otherwise. The first columns of a row are its parent.
 */
export function planPerParent(
  dialect: Dialect,
  tables: Tables,
  query: PerParentQuery,
  lock: Sql = sql``,
): StatementPlan<ReadPages> {
  const build = createBuild(dialect, tables);
  const related = relate(build, query);
  const scope = shareValues(build, related.scope, query);
  const own = selectColumns(scope.table, query.fields);
  const types = parentColumns(tables, query);
  const width = types.length;
  const isLateral = dialect.operandList !== undefined;
  const known = own.map((column) => (isLateral ? placeInParent(query, types, column) : undefined));
  const selected = own.filter((_, at) => known[at] === undefined);
  const computed = selectValues(build, scope, query.relatedValues, width + selected.length);
  const range = buildRange(build, scope, query);
  const parents = { index: build.slots.next(), slots: dialect.slotsOf(query.parents.length) };
  const start = width + selected.length + computed.columns.length;
  const far = farPlaces(dialect, range.columns, start);
  const list = [...selectList(dialect, scope, selected, width), ...computed.list, ...far];
  let next = width;
  const places = [...known, ...computed.columns.map(() => undefined)].map((place) => place ?? next++);
  const toPage = pageReader(rowReader([...own, ...computed.columns], places), range.columns, start);
  const parts = { list, query, parents, types };
  const values = operandLists(dialect, types, parents.index);
  const statement =
    values === undefined ? numbered(build, related, range, parts, lock) : lateral(build, related, range, parts, values);
  const numbers = numbersIn([...types, ...selected, ...computed.columns]);
  return { statement, read: pagesReader(parentReader(types), width, toPage), numbers };
}

/** Types whose equal values are the same, so that a foreign key has the value of its parent's key. */
const EXACT: ReadonlySet<string> = new Set(["integer", "bigint", "uuid"]);

/** Returns the place of a column's value in the parent, if the column references the parent. */
function placeInParent(
  { relation }: PerParentQuery,
  types: readonly Column[],
  { field, declared }: Column,
): number | undefined {
  const place = relation.through === undefined ? relation.foreign.indexOf(field.name) : -1;
  return EXACT.has(declared) && types[place]?.declared === declared ? place : undefined;
}

interface Parts {
  readonly list: readonly Sql[];
  readonly query: PerParentQuery;
  readonly parents: { readonly index: number; readonly slots: number };
  readonly types: readonly Column[];
}

export function parentColumns(tables: Tables, { relation }: Pick<PerParentQuery, "relation">): readonly Column[] {
  const source = tables.of(relation.source);
  return relation.local.map((name) => columnOf(source, name));
}

/** Reads the token of a parent from the first columns of a result. */
type ParentReader = (row: readonly unknown[]) => Token | null;

export function parentReader(types: readonly Column[]): ParentReader {
  const [only] = types;
  if (only !== undefined && types.length === 1) return (row) => only.decode(row[0]) as Token | null;
  return (row) => tokenOf(types.map(({ decode }, at) => decode(row[at]) as Token));
}

/** Returns `p.v0`, `p.v1` and so on: the values of a parent in a lateral join. */
function parentValues(types: readonly Column[]): readonly Sql[] {
  return types.map((_, at) => sql.id("p", `v${at}`));
}

function readableParents({ dialect }: Build, types: readonly Column[], values: readonly Sql[]): readonly Sql[] {
  return types.map((type, at) => dialect.readable(type, values[at] as Sql));
}

/** Returns the lists of parents as a table: `unnest(…) as p(v0, v1)`. */
function parentTable(lists: readonly Sql[]): Sql {
  return sql`unnest(${sql.join(lists)}) as p(${sql.join(lists.map((_, at) => sql.id(`v${at}`)))})`;
}

/** PostgreSQL: reads the first rows of each parent from an index. The rows of a parent keep their order. */
function lateral(
  build: Build,
  { parent, from }: Related,
  range: PageClauses,
  { list, query, types }: Parts,
  lists: readonly Sql[],
): Sql {
  const values = parentValues(types);
  const conditions = [allEqual(parent, values), ...range.conditions];
  const cut = build.dialect.limit(query.limit + 1, range.offset);
  const own = readableParents(build, types, values).map((value, at) => sql`${value} as ${sql.id(`p${at}`)}`);
  const rows = sql`select ${sql.join(list)} from ${from}${sql.join(range.joins, sql``)}${where(conditions)}${range.order}${cut}`;
  return sql`select ${sql.join(own)}, t.* from ${parentTable(lists)} cross join lateral (${rows}) as t`;
}

/** Numbers all rows of the parents, and keeps those whose numbers are on the page. */
function numbered(
  build: Build,
  { parent, from }: Related,
  range: PageClauses,
  { list, query, parents, types }: Parts,
  lock: Sql,
): Sql {
  const nameAt = (at: number): Sql => sql.id(`c${at}`);
  const names = [...types, ...list].map((_, at) => nameAt(at));
  const own = readableParents(build, types, parent).map((value, at) => sql`${value} as ${nameAt(at)}`);
  const number = sql`row_number() over (partition by ${sql.join(parent)}${range.order}) as n`;
  const conditions = [isInKeys(build.dialect, types, parent, parents), ...range.conditions];
  const rows = sql`select ${sql.join([...own, ...list, number])} from ${from}${sql.join(range.joins, sql``)}${where(conditions)}${lock}`;
  const last = query.limit + 1;
  const wanted =
    range.offset === undefined
      ? sql`n <= ${sql.lit(last)}`
      : sql`n > ${range.offset} and n <= ${range.offset} + ${sql.lit(last)}`;
  return sql`select ${sql.join(names)} from (${rows}) as w where ${wanted} order by ${sql.join(types.map((_, at) => nameAt(at)))}, n`;
}

function pagesReader(parentIn: ParentReader, width: number, toPage: ReturnType<typeof pageReader>): ReadPages {
  return (rows, query) => {
    const byParent = new Map<Token | null, (readonly unknown[])[]>();
    let own: (readonly unknown[])[] | undefined;
    for (const row of rows) {
      // Mostly, rows of the same parent follow each other.
      if (own === undefined || !hasParentOf(row, own[0] as readonly unknown[], width)) {
        const parent = parentIn(row);
        own = byParent.get(parent) ?? [];
        if (own.length === 0) byParent.set(parent, own);
      }
      own.push(row);
    }
    return query.parents.map((parent) => toPage(byParent.get(tokenOf(parent)) ?? [], query));
  };
}

function hasParentOf(row: readonly unknown[], other: readonly unknown[], width: number): boolean {
  for (let at = 0; at < width; at++) if (row[at] !== other[at]) return false;
  return true;
}

export type ReadCounts = (rows: readonly (readonly unknown[])[]) => ReadonlyMap<Token | null, number>;

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
  const types = parentColumns(tables, query);
  const parentIn = parentReader(types);
  const width = types.length;
  const list = { index: build.slots.next(), slots: dialect.slotsOf(query.parents.length) };
  const { countMost = Number.POSITIVE_INFINITY } = query;
  const read: ReadCounts = (rows) =>
    new Map(rows.map((row) => [parentIn(row), Math.min(Number(row[width]), countMost)]));
  const lists = operandLists(dialect, types, list.index);
  const columnAt = (value: Sql, at: number): Sql => sql`${value} as ${sql.id(`c${at}`)}`;
  const total = sql.id(`c${width}`);
  if (lists !== undefined && query.countMost !== undefined) {
    const values = parentValues(types);
    const rows = sql`from ${from}${where([allEqual(parent, values), ...filter])}`;
    const counted = sql`select count(*) as ${total} ${upTo(dialect, rows, query.countMost)}`;
    const own = readableParents(build, types, values).map(columnAt);
    return {
      statement: sql`select ${sql.join(own)}, t.${total} from ${parentTable(lists)} cross join lateral (${counted}) as t`,
      read,
    };
  }
  const conditions = [...filter, isInKeys(dialect, types, parent, list)];
  const own = readableParents(build, types, parent).map(columnAt);
  return {
    statement: sql`select ${sql.join(own)}, count(*) as ${total} from ${from}${where(conditions)} group by ${sql.join(parent)}${lock}`,
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
