import {
  type AggregateQuery,
  type Json,
  type ParentGroups,
  type PerParentAggregateQuery,
  type StoreGroup,
  type StoreGroups,
  type StoreMeasure,
  type Token,
  tokenOf,
} from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import type { Tables } from "../table/table.ts";
import { buildFilter } from "./filter.ts";
import { type GroupColumn, keyColumn, measureColumn } from "./group-columns.ts";
import { guarded, where } from "./read-list.ts";
import { parentColumns, parentReader, relate } from "./read-per-parent.ts";
import { allEqual, isInKeys } from "./row-values.ts";
import { type Build, createBuild, createScope, type Scope, tableAs } from "./scope.ts";
import type { StatementPlan } from "./statement-plan.ts";
import { StatementShape } from "./statement-shape.ts";

type ReadGroups = (rows: readonly (readonly unknown[])[], query: AggregateQuery) => StoreGroups;

export function aggregateShape(dialect: Dialect, name: string, query: AggregateQuery): StatementShape {
  const { resource, groupBy, measures, filter, limit } = query;
  const keys = groupBy.map(({ relation, field, part }) => `${relation?.name ?? ""}.${field}.${part ?? ""}`);
  const values = measures.map(({ kind, field }) => `${kind}.${field ?? ""}`);
  const shape = new StatementShape(dialect, `${name} ${resource.name} ${limit} ${keys.join()} ${values.join()} `);
  for (const term of groupBy) if (term.relation !== undefined) shape.note("<").filter(term.filter).note(">");
  return shape.filter(filter);
}

/** Plans one statement that groups the matching rows. */
export function planAggregate(
  dialect: Dialect,
  tables: Tables,
  query: AggregateQuery,
  lock: Sql = sql``,
): StatementPlan<ReadGroups> {
  const build = createBuild(dialect, tables);
  const scope = createScope(build, tables.of(query.resource.name));
  const { keys, joins } = groupKeys(build, scope, query);
  const conditions = filterConditions(build, scope, query);
  const columns = [...keys, ...query.measures.map((measure) => measureColumn(dialect, scope, measure))];
  const from = sql`${tableAs(scope)}${joins}${where(conditions)}`;
  return {
    statement: selectGroups(dialect, from, { keys, columns, limit: query.limit, lock }),
    read: (rows, { limit }) => {
      const groups = rows.slice(0, limit).map((row) => readGroup(row, columns, keys.length));
      return { groups, more: rows.length > limit };
    },
  };
}

function filterConditions(build: Build, scope: Scope, { filter }: AggregateQuery): readonly Sql[] {
  // Without a condition, SQLite counts without reading each row.
  return filter === undefined ? [] : [...guarded(build, scope), buildFilter(build, scope, filter)];
}

/** Returns the columns of the group terms, and the joins for those along relations. Takes the values of their filters. */
function groupKeys(
  build: Build,
  scope: Scope,
  { groupBy }: AggregateQuery,
): { readonly keys: readonly GroupColumn[]; readonly joins: Sql } {
  const joins: Sql[] = [];
  const keys = groupBy.map((term) => {
    const { relation, filter } = term;
    if (relation === undefined) return keyColumn(build.dialect, scope, term);
    const target = createScope(build, build.tables.of(relation.target));
    const on = [
      allEqual(relation.foreign.map(target.value), relation.local.map(scope.value)),
      ...guarded(build, target),
      ...(filter === undefined ? [] : [buildFilter(build, target, filter)]),
    ];
    joins.push(sql` left join ${tableAs(target)} on ${sql.join(on, sql` and `)}`);
    return keyColumn(build.dialect, target, term);
  });
  return { keys, joins: sql.join(joins, sql``) };
}

interface GroupClauses {
  readonly keys: readonly GroupColumn[];
  /** The keys, then the measures. */
  readonly columns: readonly GroupColumn[];
  readonly limit: number;
  readonly lock: Sql;
}

/** The outer query converts values to text that the driver can't misread, once per group. */
function selectGroups(dialect: Dialect, from: Sql, { keys, columns, limit, lock }: GroupClauses): Sql {
  const inner = columns.map(({ value }, at) => sql`${value} as ${sql.id(`g${at}`)}`);
  const by = keys.length === 0 ? sql`` : sql` group by ${sql.join(keys.map(({ value }) => value))}`;
  const cut = keys.length === 0 ? sql`` : dialect.limit(limit + 1, undefined);
  const outer = columns.map(({ readable }, at) => sql`${readable(sql.id("w", `g${at}`))} as ${sql.id(`c${at}`)}`);
  return sql`select ${sql.join(outer)} from (select ${sql.join(inner)} from ${from}${by}${cut}${lock}) as w`;
}

/** Reads a group from a result, beginning with the column at `start`. */
function readGroup(row: readonly unknown[], columns: readonly GroupColumn[], keys: number, start = 0): StoreGroup {
  const values = columns.slice(start).map(({ decode }, at): Json => {
    const raw = row[start + at];
    return raw === null || raw === undefined ? null : decode(raw);
  });
  return { keys: values.slice(0, keys - start), values: values.slice(keys - start) };
}

type ReadParentGroups = (rows: readonly (readonly unknown[])[], query: PerParentAggregateQuery) => ParentGroups;

export function aggregatePerShape(dialect: Dialect, name: string, query: PerParentAggregateQuery): StatementShape {
  const { source, name: relation, through } = query.relation;
  const own = aggregateShape(dialect, `${name} ${source}.${relation} ${through?.from.join() ?? ""}`, query);
  return own.list(query.parents);
}

/** Plans one statement that groups the related rows of all parents. */
export function planAggregatePer(
  dialect: Dialect,
  tables: Tables,
  query: PerParentAggregateQuery,
  lock: Sql = sql``,
): StatementPlan<ReadParentGroups> {
  const build = createBuild(dialect, tables);
  const { scope, parent, from } = relate(build, query);
  const types = parentColumns(tables, query);
  const { keys: terms, joins } = groupKeys(build, scope, query);
  const filter = filterConditions(build, scope, query);
  const list = { index: build.slots.next(), slots: dialect.slotsOf(query.parents.length) };
  const conditions = [...filter, isInKeys(dialect, types, parent, list)];
  const owners = types.map((type, at): GroupColumn => {
    return { value: parent[at] as Sql, readable: (one) => dialect.readable(type, one), decode: type.decode };
  });
  const keys = [...owners, ...terms];
  const columns = [...keys, ...query.measures.map((measure) => measureColumn(dialect, scope, measure))];
  const parentIn = parentReader(types);
  return {
    statement: selectGroups(dialect, sql`${from}${joins}${where(conditions)}`, {
      keys,
      columns,
      limit: query.limit,
      lock,
    }),
    read: (rows, { parents, limit, groupBy, measures }) => {
      const byParent = new Map<Token | null, StoreGroup[]>();
      for (const row of rows) {
        const owner = parentIn(row);
        const own = byParent.get(owner) ?? [];
        byParent.set(owner, own);
        own.push(readGroup(row, columns, keys.length, types.length));
      }
      // Without group terms, a parent without rows has a group as well.
      const none = groupBy.length > 0 ? [] : [{ keys: [], values: measures.map(emptyValue) }];
      return { groups: parents.map((one) => byParent.get(tokenOf(one)) ?? none), more: rows.length > limit };
    },
  };
}

function emptyValue({ kind }: StoreMeasure): Json {
  return kind === "rows" || kind === "values" ? 0 : null;
}
