import { OPERATORS } from "../definition/operators.ts";
import type { FieldModel, Model, RelationModel, ResourceModel, Row } from "../model/model.ts";
import type { CompareFilter, Filter, RelatedFilter } from "../operation/filter.ts";
import type { Json } from "../util/json.ts";
import { Evaluation, type Predicate, type Related } from "./evaluation.ts";
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
      return compileComparison(filter, resource.fields.get(filter.field) as FieldModel);
  }
}

/** Rows with the same value in the relation's column have the same related rows, so each value is tested once. */
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

function compileComparison({ field, operator, value }: CompareFilter, { type }: FieldModel): Predicate {
  const matches = OPERATOR_TESTS[operator](type, value);
  const { matchesMissing } = OPERATORS[operator];
  const whenMissing = matchesMissing === "operand" ? value === true : matchesMissing;
  return (row) => {
    const actual = row[field];
    return actual === null || actual === undefined ? whenMissing : matches(actual);
  };
}
