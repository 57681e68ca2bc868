import { OPERATORS } from "../definition/operators.ts";
import type { FieldModel, Model, RelationModel, ResourceModel, Row } from "../model/model.ts";
import type { WireType } from "../model/wire-type.ts";
import type { CompareFilter, Filter, RelatedFilter, RelatedValue } from "../operation/filter.ts";
import { type Token, tokenReader } from "../model/reference.ts";
import type { Json } from "../util/json.ts";
import { Evaluation, type Predicate, type Related } from "./evaluation.ts";
import { comparableValue, readRelatedValue } from "./related-value.ts";
import { OPERATOR_TESTS } from "./operator-tests.ts";

/** Returns whether a row matches a filter. Every store must agree with it. */
export function evaluateFilter(
  filter: Filter,
  row: Row,
  resource: ResourceModel,
  related: Related,
  model: Model,
): boolean {
  return compileFilter(filter, resource, new Evaluation(model, related))(row);
}

/** Compiles a filter into a function, for the many rows of one read. */
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
      if (filter.related !== undefined) return compareRelated(filter, filter.related, evaluation);
      return compareField(filter, (resource.fields.get(filter.field) as FieldModel).type);
  }
}

/** Returns the function that computes a value from the related rows of a row. */
export function compileRelatedValue(value: RelatedValue, evaluation: Evaluation): (row: Row) => Json {
  const target = evaluation.model.resources.get(value.relation.target) as ResourceModel;
  const { filter } = value;
  const matches = filter === undefined ? undefined : compileFilter(filter, target, evaluation);
  return readRelatedValue(value, evaluation, matches);
}

function compareRelated(filter: CompareFilter, related: RelatedValue, evaluation: Evaluation): Predicate {
  const valueOf = compileRelatedValue(related, evaluation);
  const matches = compareField(filter, related.type);
  return (row) => matches({ [filter.field]: comparableValue(related.type, valueOf(row)) });
}

/** Rows with the same values in the relation's columns have the same related rows, so each value is tested once. */
function compileRelated(filter: RelatedFilter, resource: ResourceModel, evaluation: Evaluation): Predicate {
  const relation = resource.relations.get(filter.relation) as RelationModel;
  const target = evaluation.model.resources.get(relation.target) as ResourceModel;
  const matches = compileFilter(filter.filter, target, evaluation);
  const { quantifier } = filter;
  const isEvery = quantifier === "every";
  // `every` looks for a related row that doesn't match, the others for one that does.
  const hasOne = (row: Row): boolean => {
    for (const one of evaluation.related(relation, row)) {
      evaluation.look();
      if (matches(one) !== isEvery) return true;
    }
    return false;
  };
  const isOpposite = isEvery || quantifier === "none";
  const known = new Map<Token, boolean>();
  const tokenIn = tokenReader(relation.local);
  return (row) => {
    const token = tokenIn(row);
    if (token === null) return isOpposite;
    let holds = known.get(token);
    if (holds === undefined) {
      holds = hasOne(row) !== isOpposite;
      known.set(token, holds);
    }
    return holds;
  };
}

/** Compiles one condition on a value of this type. */
export function compareField({ field, operator, value }: CompareFilter, type: WireType): Predicate {
  const matches = OPERATOR_TESTS[operator](type, value);
  const { matchesMissing } = OPERATORS[operator];
  const whenMissing = matchesMissing === "operand" ? value === true : matchesMissing;
  return (row) => {
    const actual = row[field];
    return actual === null || actual === undefined ? whenMissing : matches(actual);
  };
}
