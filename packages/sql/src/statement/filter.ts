import type { CompareFilter, Filter, RelatedFilter, RelationModel } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Sql } from "../dialect/dialect.ts";
import { columnOf } from "../table/table.ts";
import { linksTo } from "./links-to.ts";
import { SQL_OPERATORS } from "./operators.ts";
import { allEqual, rowOf } from "./row-values.ts";
import { comparedValue } from "./related-value.ts";
import { buildParts, canSelectKeys, isInSelected } from "./searched-keys.ts";
import { type Build, createScope, type Scope, tableAs } from "./scope.ts";

/** Whether a filter contains conditions on related rows. */
export function isAlongRelations(filter: Filter | undefined): boolean {
  switch (filter?.kind) {
    case "related":
      return true;
    case "compare":
      return filter.related !== undefined;
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
      if (!isAnd && canSelectKeys(build, scope, filter.filters))
        return isInSelected(build, scope, filter.filters, buildFilter);
      const parts = isAnd
        ? buildParts(build, scope, filter.filters, buildFilter)
        : filter.filters.map((inner) => buildFilter(build, scope, inner));
      return joinParts(parts, isAnd ? sql` and ` : sql` or `);
    }
    case "related":
      return buildRelated(build, scope, filter);
    case "compare":
      return buildCompare(build, scope, filter);
  }
}

/** SQLite limits the depth of expressions to 1,000, and each operand adds one level. */
const MAX_PARTS = 500;

function joinParts(parts: readonly Sql[], word: Sql): Sql {
  if (parts.length <= MAX_PARTS) return sql`(${sql.join(parts, word)})`;
  const groups: Sql[] = [];
  for (let at = 0; at < parts.length; at += MAX_PARTS) groups.push(joinParts(parts.slice(at, at + MAX_PARTS), word));
  return joinParts(groups, word);
}

function buildRelated(build: Build, scope: Scope, { relation: name, quantifier, filter }: RelatedFilter): Sql {
  const relation = scope.table.resource.relations.get(name) as RelationModel;
  const target = createScope(build, build.tables.of(relation.target));
  const isList = build.dialect.relatesBy === "list" || canUseList(build, quantifier, filter);
  const rows = isList ? rowsInList : canUseArray(build, relation, quantifier, filter) ? rowsInArray : rowsOfEach;
  const isThere = rows(build, relation.local.map(scope.value), relation, target, () => {
    const inner = buildFilter(build, target, filter);
    const guard = build.dialect.guard?.(target);
    const matches = quantifier === "every" ? sql`(${inner}) is not true` : inner;
    return guard === undefined ? matches : sql`${guard} and ${matches}`;
  });
  if (quantifier !== "every" && quantifier !== "none") return isThere;
  // The condition may be NULL, which also counts as false.
  return isList ? sql`(${isThere}) is not true` : sql`not ${isThere}`;
}

type RelatedRows = (
  build: Build,
  local: readonly Sql[],
  relation: RelationModel,
  target: Scope,
  match: () => Sql,
) => Sql;

/**
 * Returns a condition that is true if a relation leads from some values to a matching row. It is evaluated for each row.
 */
const rowsOfEach: RelatedRows = (build, local, relation, target, match) => {
  const foreign = relation.foreign.map(target.value);
  if (relation.through === undefined)
    return sql`exists (select 1 from ${tableAs(target)} where ${allEqual(foreign, local)} and ${match()})`;
  const { from, to, links } = linksTo(build, relation, target);
  return sql`exists (select 1 from ${links} on ${allEqual(foreign, to)} where ${allEqual(from, local)} and ${match()})`;
};

/** The same condition with a list of all values that lead to matching rows, which the statement computes once. */
const rowsInList: RelatedRows = (build, local, relation, target, match) => {
  const foreign = relation.foreign.map(target.value);
  const own = rowOf(local);
  if (relation.through === undefined)
    return sql`${own} in (select ${sql.join(foreign)} from ${tableAs(target)} where ${match()})`;
  const { from, to, links } = linksTo(build, relation, target);
  return sql`${own} in (select ${sql.join(from)} from ${links} on ${allEqual(foreign, to)} where ${match()})`;
};

/**
 * Whether an index should find the rows by the keys of related rows. A search looks for a word in own fields or in those
 * of a related row, and PostgreSQL reads a whole table for an `or` with a condition that depends on the row.
 */
function canUseArray(
  { dialect }: Build,
  { local, through }: RelationModel,
  quantifier: RelatedFilter["quantifier"],
  filter: Filter,
): boolean {
  return dialect.name === "postgres" && quantifier === "one" && local.length === 1 && !through && searches(filter);
}

/** SQLite and MySQL find the rows by an index of the own columns, for the same reason. */
function canUseList({ dialect }: Build, quantifier: RelatedFilter["quantifier"], filter: Filter): boolean {
  const hasIndex = dialect.hasWordsTables === true || dialect.wordRows !== undefined;
  return hasIndex && quantifier === "one" && searches(filter);
}

function searches(filter: Filter): boolean {
  if (filter.kind === "and") return filter.filters.some(searches);
  return filter.kind === "compare" && (filter.operator === "hasWord" || filter.operator === "hasWordStart");
}

/** The keys of related rows as an array, which PostgreSQL computes once and then looks up in an index. */
const rowsInArray: RelatedRows = (_, [local], relation, target, match) => {
  const [foreign] = relation.foreign.map(target.value);
  return sql`${local} = any(array(select ${foreign} from ${tableAs(target)} where ${match()}))`;
};

function buildCompare(build: Build, scope: Scope, { field, operator, value, related }: CompareFilter): Sql {
  if (related !== undefined) {
    const computed = comparedValue(build, scope, related, buildFilter);
    return SQL_OPERATORS[operator].condition({ build, ...computed, operand: value });
  }
  const column = columnOf(scope.table, field);
  const words = scope.words?.(field);
  return SQL_OPERATORS[operator].condition({ build, column, value: scope.value(field), operand: value, words });
}
