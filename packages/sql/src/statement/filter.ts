import type { CompareFilter, Filter, RelatedFilter, RelationModel } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Sql } from "../dialect/dialect.ts";
import { columnOf } from "../table/table.ts";
import { SQL_OPERATORS } from "./operators.ts";
import { type Build, createScope, type Scope, tableAs, tableName } from "./scope.ts";

/** Whether a filter contains conditions on related rows. */
export function isAlongRelations(filter: Filter | undefined): boolean {
  switch (filter?.kind) {
    case "related":
      return true;
    case "not":
      return isAlongRelations(filter.filter);
    case "and":
    case "or":
      return filter.filters.some(isAlongRelations);
    default:
      return false;
  }
}

/**
 * Builds a condition that is true for matching rows. For other rows it may be false or NULL; `not` is built as `is not
 * true`, so that it has only two values. Takes values in the order in which `Shape` lists them.
 */
export function buildFilter(build: Build, scope: Scope, filter: Filter): Sql {
  switch (filter.kind) {
    case "constant":
      return filter.value ? sql`1 = 1` : sql`1 = 0`;
    case "not":
      return sql`(${buildFilter(build, scope, filter.filter)}) is not true`;
    case "and":
    case "or": {
      const isAnd = filter.kind === "and";
      if (filter.filters.length === 0) return isAnd ? sql`1 = 1` : sql`1 = 0`;
      const parts = filter.filters.map((inner) => buildFilter(build, scope, inner));
      return sql`(${sql.join(parts, isAnd ? sql` and ` : sql` or `)})`;
    }
    case "related":
      return buildRelated(build, scope, filter);
    case "compare":
      return buildCompare(build, scope, filter);
  }
}

function buildRelated(build: Build, scope: Scope, { relation: name, quantifier, filter }: RelatedFilter): Sql {
  const relation = scope.table.resource.relations.get(name) as RelationModel;
  const target = createScope(build, build.tables.of(relation.target));
  const rows = build.dialect.relatesBy === "list" ? rowsInList : rowsOfEach;
  const isThere = rows(build, scope.value(relation.local), relation, target, () => {
    const inner = buildFilter(build, target, filter);
    const guard = build.dialect.guard?.(target);
    const matches = quantifier === "every" ? sql`(${inner}) is not true` : inner;
    return guard === undefined ? matches : sql`${guard} and ${matches}`;
  });
  if (quantifier !== "every" && quantifier !== "none") return isThere;
  // The condition may be NULL, which also counts as false.
  return build.dialect.relatesBy === "list" ? sql`(${isThere}) is not true` : sql`not ${isThere}`;
}

/**
 * Returns a condition that is true if a relation leads from a value to a matching row. It is evaluated for each value.
 */
function rowsOfEach(build: Build, local: Sql, relation: RelationModel, target: Scope, match: () => Sql): Sql {
  const foreign = target.value(relation.foreign);
  if (relation.through === undefined)
    return sql`exists (select 1 from ${tableAs(target)} where ${foreign} = ${local} and ${match()})`;
  const { from, to, links } = linksTo(build, relation, target);
  return sql`exists (select 1 from ${links} on ${foreign} = ${to} where ${from} = ${local} and ${match()})`;
}

/** The same condition with a list of all values that lead to matching rows, which the statement computes once. */
function rowsInList(build: Build, local: Sql, relation: RelationModel, target: Scope, match: () => Sql): Sql {
  const foreign = target.value(relation.foreign);
  if (relation.through === undefined)
    return sql`${local} in (select ${foreign} from ${tableAs(target)} where ${match()})`;
  const { from, to, links } = linksTo(build, relation, target);
  return sql`${local} in (select ${from} from ${links} on ${foreign} = ${to} where ${match()})`;
}

function linksTo(build: Build, relation: RelationModel, target: Scope) {
  const link = build.tables.link(relation);
  const alias = build.alias();
  const links = sql`${tableName(link)} as ${sql.id(alias)} inner join ${tableAs(target)}`;
  return { from: sql.id(alias, link.from), to: sql.id(alias, link.to), links };
}

function buildCompare(build: Build, scope: Scope, { field, operator, value }: CompareFilter): Sql {
  const column = columnOf(scope.table, field);
  return SQL_OPERATORS[operator].condition({ build, column, value: scope.value(field), operand: value });
}
