import type { FieldModel, Model, RelationModel, ResourceModel, Row } from "../model/model.ts";
import type { WireType } from "../model/wire-type.ts";
import type { CompareFilter, Filter, RelatedFilter } from "../operation/filter.ts";
import { foldCase } from "./fold-case.ts";
import type { Json } from "../util/json.ts";
import { compareValues, equalValues } from "./compare-values.ts";
import { Evaluation, type Related } from "./evaluation.ts";
import { equalityKey } from "./equality-key.ts";

export type Predicate = (row: Row) => boolean;

/**
 * Evaluates a filter. This defines its meaning for every store, with two-valued logic: a comparison with a missing
 * value is false, and `ne`, `notIn` and `not` are the exact opposites of `eq`, `in` and their operand.
 */
export function evaluateFilter(
  filter: Filter,
  row: Row,
  resource: ResourceModel,
  related: Related,
  model: Model,
): boolean {
  return compileFilter(filter, resource, new Evaluation(model, related))(row);
}

/** Compiles a filter to a function, for the many rows of one read. */
export function compileFilter(filter: Filter, resource: ResourceModel, evaluation: Evaluation): Predicate {
  switch (filter.kind) {
    case "constant":
      return () => filter.value;
    case "and": {
      const all = filter.filters.map((inner) => compileFilter(inner, resource, evaluation));
      return (row) => all.every((matches) => matches(row));
    }
    case "or": {
      const all = filter.filters.map((inner) => compileFilter(inner, resource, evaluation));
      return (row) => all.some((matches) => matches(row));
    }
    case "not": {
      const matches = compileFilter(filter.filter, resource, evaluation);
      return (row) => !matches(row);
    }
    case "related":
      return evaluation.once(filter, resource, () => compileRelated(filter, resource, evaluation));
    case "compare":
      return compileComparison(filter, resource.fields.get(filter.field) as FieldModel);
  }
}

/** The related rows depend on a single value of the row, so the result is computed once for each value. */
function compileRelated(filter: RelatedFilter, resource: ResourceModel, evaluation: Evaluation): Predicate {
  const relation = resource.relations.get(filter.relation) as RelationModel;
  const target = evaluation.model.resources.get(relation.target) as ResourceModel;
  const matches = compileFilter(filter.filter, target, evaluation);
  const { quantifier } = filter;
  const isEvery = quantifier === "every";
  // `every` looks for a row that doesn't match, the other quantifiers for one that matches.
  const hasOne = (row: Row): boolean => {
    for (const one of evaluation.related(relation, row)) {
      evaluation.look();
      if (matches(one) !== isEvery) return true;
    }
    return false;
  };
  const isOpposite = isEvery || quantifier === "none";
  const known = new Map<Json, boolean>();
  return (row) => {
    const value = row[relation.local] ?? null;
    if (value === null) return isOpposite;
    let holds = known.get(value);
    if (holds === undefined) {
      holds = hasOne(row) !== isOpposite;
      known.set(value, holds);
    }
    return holds;
  };
}

/** Compiles one comparison; it is false for `null`. */
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
  const itemsOf = (actual: Json): readonly Json[] => (Array.isArray(actual) ? (actual as readonly Json[]) : []);
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
      return given((actual) => itemsOf(actual).some((one) => equalValues(item, one, value)));
    case "hasSome": {
      const isWanted = memberTest(item, list);
      return given((actual) => itemsOf(actual).some(isWanted));
    }
    case "hasEvery": {
      const wanted = [...new Set(list.map((one) => equalityKey(item, one)))];
      return given((actual) => {
        const items = new Set(itemsOf(actual).map((one) => equalityKey(item, one)));
        return wanted.length <= items.size && wanted.every((one) => items.has(one));
      });
    }
    default:
      return given(textTest(operator, value as string));
  }
}

/** Uses a `Set` for long lists. */
function memberTest(type: WireType, list: readonly Json[]): (actual: Json) => boolean {
  if (list.length <= 8) return (actual) => list.some((one) => equalValues(type, actual, one));
  const members = new Set(list.map((one) => equalityKey(type, one)));
  return (actual) => members.has(equalityKey(type, actual));
}

/** Operators with an `i` compare case-folded text. */
function textTest(operator: string, value: string): (actual: Json) => boolean {
  const folded = foldCase(value);
  // Text without `σ` folds to its lower case, which is faster.
  const fold = folded.includes("σ") ? foldCase : (text: string): string => text.toLowerCase();
  switch (operator) {
    case "contains":
      return (actual) => (actual as string).includes(value);
    case "startsWith":
      return (actual) => (actual as string).startsWith(value);
    case "endsWith":
      return (actual) => (actual as string).endsWith(value);
    case "icontains":
      return (actual) => fold(actual as string).includes(folded);
    case "istartsWith":
      return (actual) => fold(actual as string).startsWith(folded);
    case "iendsWith":
      return (actual) => fold(actual as string).endsWith(folded);
    default:
      throw new Error(`Unknown operator '${operator}'.`);
  }
}
