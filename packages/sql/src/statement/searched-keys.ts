import type { CompareFilter, Filter, RelationModel } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Sql, WordMatch } from "../dialect/dialect.ts";
import { columnOf, type Table } from "../table/table.ts";
import { rowOf } from "./row-values.ts";
import { type Build, createScope, type IndexedWords, type Scope, tableAs } from "./scope.ts";

/**
 * Whether each alternative of a search can select the keys of rows by an index. MySQL reads a whole table for an `or`,
 * but not for the keys of a `union`.
 */
export function canSelectKeys({ dialect, tables }: Build, scope: Scope, filters: readonly Filter[]): boolean {
  if (dialect.wordRows === undefined || scope.words === undefined) return false;
  return filters.every((filter) => isIndexed(scope.table, filter));

  function isIndexed(table: Table, filter: Filter): boolean {
    switch (filter.kind) {
      case "compare":
        return isSearch(filter) && columnOf(table, filter.field).words !== undefined;
      case "and":
        return filter.filters.some((inner) => isIndexed(table, inner));
      case "related": {
        const { target, through } = table.resource.relations.get(filter.relation) as RelationModel;
        return filter.quantifier === "one" && through === undefined && isIndexed(tables.of(target), filter.filter);
      }
      default:
        return false;
    }
  }
}

/** Returns the condition that one of the alternatives selects the key of a row. */
export function isInSelected(
  build: Build,
  scope: Scope,
  filters: readonly Filter[],
  buildFilter: (build: Build, scope: Scope, filter: Filter) => Sql,
): Sql {
  const parts = filters.map((filter) => {
    if (filter.kind === "compare") return wordRows(build, [searchedWord(build, scope, filter)]);
    const other = createScope(build, scope.table);
    return sql`select ${keysOf(other)} from ${tableAs(other)} where ${buildFilter(build, other, filter)}`;
  });
  return isAmong(scope, sql.join(parts, sql`\n    union all `));
}

/**
 * Builds the parts of an `and`. Words of one text are one search in its index, which then only reads the rows with all
 * of them.
 */
export function buildParts(
  build: Build,
  scope: Scope,
  filters: readonly Filter[],
  buildFilter: (build: Build, scope: Scope, filter: Filter) => Sql,
): readonly Sql[] {
  const searches = new Map<string, SearchedWord[]>();
  const parts = filters.flatMap((filter) => {
    if (
      filter.kind !== "compare" ||
      !canSelectKeys(build, scope, [filter]) ||
      scope.words?.(filter.field) === undefined
    )
      return [buildFilter(build, scope, filter)];
    searches.set(filter.field, [...(searches.get(filter.field) ?? []), searchedWord(build, scope, filter)]);
    return [];
  });
  const found = [...searches.values()].map((searched) => isAmong(scope, wordRows(build, searched)));
  return [...found, ...parts];
}

type SearchedWord = WordMatch & { readonly index: number };

/** Takes the word. */
function searchedWord({ slots }: Build, scope: Scope, { field, operator, value }: CompareFilter): SearchedWord {
  const column = columnOf(scope.table, field);
  const isStart = operator === "hasWordStart";
  const words = scope.words?.(field);
  return { column, value: sql.id(column.name), words, word: value as string, isStart, index: slots.next() };
}

function wordRows({ dialect }: Build, searched: readonly SearchedWord[]): Sql {
  return dialect.wordRows?.(searched[0]?.words as IndexedWords, searched) as Sql;
}

function isSearch({ operator, related }: CompareFilter): boolean {
  return related === undefined && (operator === "hasWord" || operator === "hasWordStart");
}

/** Returns the condition that a statement selects the key of a row. */
export function isAmong({ table, alias }: Pick<Scope, "table" | "alias">, rows: Sql): Sql {
  const own = table.resource.key.map((field) => sql.id(alias, columnOf(table, field).name));
  const names = table.resource.key.map((field) => sql.id(columnOf(table, field).name));
  return sql`${rowOf(own)} in (select ${sql.join(names)} from (${rows}) as bifocal_found)`;
}

function keysOf({ table, alias }: Scope): Sql {
  return sql.join(table.resource.key.map((field) => sql.id(alias, columnOf(table, field).name)));
}
