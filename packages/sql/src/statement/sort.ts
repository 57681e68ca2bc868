import type { RelationModel, Sort } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Sql } from "../dialect/dialect.ts";
import type { Column } from "../table/column.ts";
import { columnOf } from "../table/table.ts";
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
  /** True if the term is a field of a related row. */
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
  const columns = sort.map(({ path, descending }): SortColumn => {
    const [first, far] = path;
    if (far === undefined) return sortColumn(build, scope, first, descending, false);
    let target = joined.get(first);
    if (target === undefined) {
      const relation = scope.table.resource.relations.get(first) as RelationModel;
      target = createScope(build, build.tables.of(relation.target));
      joined.set(first, target);
      joins.push(
        sql` left join ${tableAs(target)} on ${target.value(relation.foreign)} = ${scope.value(relation.local)}`,
      );
    }
    return sortColumn(build, target, far, descending, true);
  });
  return { columns, joins };
}

function sortColumn({ dialect }: Build, scope: Scope, field: string, descending: boolean, isFar: boolean): SortColumn {
  const column = columnOf(scope.table, field);
  const value = scope.value(field);
  const nullable = isFar || column.field.type.nullable;
  return { column, value, ordered: dialect.ordered(column, value), descending, nullable, isFar };
}

export function orderBy({ dialect }: Build, columns: readonly SortColumn[]): Sql {
  const terms = columns.map(({ ordered, descending, nullable }) => dialect.orderBy(ordered, descending, nullable));
  return sql` order by ${sql.join(terms)}`;
}

/** Reverses the direction of each term. */
export function flip(columns: readonly SortColumn[]): readonly SortColumn[] {
  return columns.map((column) => ({ ...column, descending: !column.descending }));
}
