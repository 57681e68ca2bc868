import type { FieldModel, RelatedValue, RelationModel, Sort, SortTerm } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Sql } from "../dialect/dialect.ts";
import type { Column } from "../table/column.ts";
import { columnOf } from "../table/table.ts";
import { allEqual } from "./row-values.ts";
import { buildFilter } from "./filter.ts";
import { sortedValue } from "./related-value.ts";
import { type Build, createScope, type Scope, tableAs } from "./scope.ts";

/** One term of a sort in a statement. */
export interface SortColumn {
  readonly column: Column;
  readonly value: Sql;
  /** The value in the form in which it is compared. */
  readonly ordered: Sql;
  readonly descending: boolean;
  /** The value may be missing. */
  readonly nullable: boolean;
  /** True if the row itself doesn't contain the value: the field of a related row, or a score. */
  readonly isFar: boolean;
}

export interface SortParts {
  readonly columns: readonly SortColumn[];
  /** The joins for related rows, one for each relation. */
  readonly joins: readonly Sql[];
}

export function buildSort(build: Build, scope: Scope, sort: Sort): SortParts {
  const joins: Sql[] = [];
  const joined = new Map<string, Scope>();
  const columns = sort.map(({ path, descending, score, related, filter }): SortColumn => {
    if (score !== undefined) return scoreColumn(build, scope, score, descending);
    const [first, far] = path;
    if (far === undefined && related !== undefined) return relatedColumn(build, scope, related, descending);
    if (far === undefined) return sortColumn(build, scope, first, descending, false);
    let target = joined.get(first);
    const relation = scope.table.resource.relations.get(first) as RelationModel;
    if (target === undefined) {
      target = createScope(build, build.tables.of(relation.target));
      joined.set(first, target);
      const on = allEqual(relation.foreign.map(target.value), relation.local.map(scope.value));
      const matches = filter === undefined ? sql`` : sql` and ${buildFilter(build, target, filter)}`;
      joins.push(sql` left join ${tableAs(target)} on ${on}${matches}`);
    }
    if (related !== undefined) {
      const column = relatedColumn(build, target, related, descending);
      // A count of the rows that are related to a missing row would be 0.
      const isThere = sql`${target.value(relation.foreign[0] as string)} is not null`;
      const value = sql`case when ${isThere} then ${column.value} end`;
      return { ...column, value, ordered: value, nullable: true };
    }
    return sortColumn(build, target, far, descending, true);
  });
  return { columns, joins };
}

function relatedColumn(build: Build, scope: Scope, related: RelatedValue, descending: boolean): SortColumn {
  const { value, column } = sortedValue(build, scope, related, buildFilter);
  const { nullable } = related.type;
  return { column, value, ordered: value, descending, nullable, isFar: true };
}

function sortColumn({ dialect }: Build, scope: Scope, field: string, descending: boolean, isFar: boolean): SortColumn {
  const column = columnOf(scope.table, field);
  const value = scope.value(field);
  const nullable = isFar || column.field.type.nullable;
  return { column, value, ordered: dialect.ordered(column, value), descending, nullable, isFar };
}

const SCORE = { name: "~relevance", type: { kind: "integer", nullable: false } } as Partial<FieldModel> as FieldModel;

/** The points of a row. Both the points and the number of conditions are part of the shape. */
function scoreColumn(
  build: Build,
  scope: Scope,
  score: NonNullable<SortTerm["score"]>,
  descending: boolean,
): SortColumn {
  const { dialect } = build;
  // The related rows with a word are found once, and not for each row.
  const once = { ...build, dialect: { ...dialect, relatesBy: "list" as const } };
  // Comparing the text is faster for rows that were already found than an index that only selects keys.
  const own = dialect.wordRows === undefined ? scope : { ...scope, words: () => undefined };
  const parts = score.map((entry) => {
    const cases = entry.map(
      ({ filter, points }) => sql`when ${buildFilter(once, own, filter)} then ${sql.lit(points)}`,
    );
    return sql`case ${sql.join(cases, sql` `)} else 0 end`;
  });
  const value = sql`(${sql.join(parts, sql` + `)})`;
  const declared = dialect.declare(SCORE, false);
  const type = dialect.columnType(SCORE, declared);
  const column: Column = {
    field: SCORE,
    name: SCORE.name,
    declared,
    nullable: true,
    isDecimal: false,
    exact: true,
    ...type,
  };
  return { column, value, ordered: value, descending, nullable: false, isFar: true };
}

export function orderBy({ dialect }: Build, columns: readonly SortColumn[]): Sql {
  const terms = columns.map(({ ordered, descending, nullable }) => dialect.orderBy(ordered, descending, nullable));
  return sql` order by ${sql.join(terms)}`;
}

/** Reverses the direction of each term. */
export function flip(columns: readonly SortColumn[]): readonly SortColumn[] {
  return columns.map((column) => ({ ...column, descending: !column.descending }));
}
