import type { FieldModel, Model, RelationModel, ResourceModel, Row } from "../model/model.ts";
import type { WireType } from "../model/wire-type.ts";
import type { CompareFilter, Filter } from "../operation/filter.ts";
import type { Json } from "../util/json.ts";
import { compareValues, equalValues } from "./compare-values.ts";

/** The rows that a relation leads to from a row. */
export type Related = (relation: RelationModel, row: Row) => readonly Row[];
export type Predicate = (row: Row) => boolean;

/**
 * The meaning of a filter, which every store has to agree with. Two-valued: a comparison with a missing value is false,
 * and `ne`, `notIn` and `not` are the exact opposites of `eq`, `in` and their operand.
 */
export function evaluateFilter(
  filter: Filter,
  row: Row,
  resource: ResourceModel,
  related: Related,
  model: Model,
): boolean {
  return compileFilter(filter, resource, related, model)(row);
}

/** The same as a function, for many rows. */
export function compileFilter(filter: Filter, resource: ResourceModel, related: Related, model: Model): Predicate {
  switch (filter.kind) {
    case "constant":
      return () => filter.value;
    case "and": {
      const all = filter.filters.map((inner) => compileFilter(inner, resource, related, model));
      return (row) => all.every((matches) => matches(row));
    }
    case "or": {
      const all = filter.filters.map((inner) => compileFilter(inner, resource, related, model));
      return (row) => all.some((matches) => matches(row));
    }
    case "not": {
      const matches = compileFilter(filter.filter, resource, related, model);
      return (row) => !matches(row);
    }
    case "related": {
      const relation = resource.relations.get(filter.relation) as RelationModel;
      const target = model.resources.get(relation.target) as ResourceModel;
      const matches = compileFilter(filter.filter, target, related, model);
      if (filter.quantifier === "every") return (row) => related(relation, row).every(matches);
      if (filter.quantifier === "none") return (row) => !related(relation, row).some(matches);
      return (row) => related(relation, row).some(matches);
    }
    case "compare":
      return compileComparison(filter, resource.fields.get(filter.field) as FieldModel);
  }
}

/** The same for one comparison; `null` never compares. */
function compileComparison({ field: name, operator, value }: CompareFilter, { type }: FieldModel): Predicate {
  const given =
    (test: (actual: Json) => boolean): Predicate =>
    (row) => {
      const actual = row[name];
      return actual !== null && actual !== undefined && test(actual);
    };
  const not =
    (matches: Predicate): Predicate =>
    (row) =>
      !matches(row);
  const list = Array.isArray(value) ? (value as readonly Json[]) : [];
  const item: WireType = type.kind === "list" ? type.item : type;
  const has = (actual: Json, wanted: Json): boolean =>
    Array.isArray(actual) && (actual as readonly Json[]).some((one) => equalValues(item, one, wanted));
  switch (operator) {
    case "isNull":
      return (row) => ((row[name] ?? null) === null) === value;
    case "eq":
      return given((actual) => equalValues(type, actual, value));
    case "ne":
      return not(given((actual) => equalValues(type, actual, value)));
    case "in":
      return given(memberTest(type, list));
    case "notIn":
      return not(given(memberTest(type, list)));
    case "lt":
      return given((actual) => compareValues(type, actual, value) < 0);
    case "lte":
      return given((actual) => compareValues(type, actual, value) <= 0);
    case "gt":
      return given((actual) => compareValues(type, actual, value) > 0);
    case "gte":
      return given((actual) => compareValues(type, actual, value) >= 0);
    case "between": {
      const [least, most] = list as [Json, Json];
      return given((actual) => compareValues(type, actual, least) >= 0 && compareValues(type, actual, most) <= 0);
    }
    case "has":
      return given((actual) => has(actual, value));
    case "hasSome":
      return given((actual) => list.some((wanted) => has(actual, wanted)));
    case "hasEvery":
      return given((actual) => list.every((wanted) => has(actual, wanted)));
    default:
      return given(textTest(operator, value as string));
  }
}

function memberTest(type: WireType, list: readonly Json[]): (actual: Json) => boolean {
  // Long lists of keys come from relations that a store cannot follow.
  if (
    list.length > 8 &&
    list.every((one) => typeof one === "string" || typeof one === "number") &&
    type.kind !== "datetime" &&
    type.kind !== "bigint"
  ) {
    const members = new Set<Json>(list);
    return (actual) => members.has(actual);
  }
  return (actual) => list.some((one) => equalValues(type, actual, one));
}

/** Operators with an `i` compare lower-case forms, which is what `lower()` does to text in a database. */
function textTest(operator: string, value: string): (actual: Json) => boolean {
  const lower = value.toLowerCase();
  switch (operator) {
    case "contains":
      return (actual) => (actual as string).includes(value);
    case "startsWith":
      return (actual) => (actual as string).startsWith(value);
    case "endsWith":
      return (actual) => (actual as string).endsWith(value);
    case "icontains":
      return (actual) => (actual as string).toLowerCase().includes(lower);
    case "istartsWith":
      return (actual) => (actual as string).toLowerCase().startsWith(lower);
    case "iendsWith":
      return (actual) => (actual as string).toLowerCase().endsWith(lower);
    default:
      throw new Error(`There is no operator '${operator}'.`);
  }
}
