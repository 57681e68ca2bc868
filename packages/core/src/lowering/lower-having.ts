import { AGGREGATE_FUNCTIONS } from "../definition/aggregate-functions.ts";
import type { Operator } from "../definition/operators.ts";
import { isPlainObject, listNames, type Path, quote, refuse } from "../errors/refuse.ts";
import type { Limits } from "../limits/limits.ts";
import type { MeasureModel, ResourceModel } from "../model/model.ts";
import { closestName, suggestName } from "../util/closest-name.ts";
import { ALWAYS, andFilters, type Filter, notFilter, orFilters } from "../operation/filter.ts";
import { branchesOf, connectivesWith } from "./connectives.ts";
import { filterEntries } from "./filter-entries.ts";
import { lowerComparison } from "./lower-comparison.ts";
import { hintFor } from "./lower-measures.ts";
import type { FilterForm } from "./lower-operand.ts";

interface HavingOptions {
  readonly form: FilterForm;
  readonly limits: Limits;
  readonly path: Path;
}

interface Lowering extends HavingOptions {
  readonly resource: ResourceModel;
  /** Number of conditions so far. */
  size: number;
}

/**
 * Lowers a condition on groups: `{ count: { gte: 10 }, avg: { price: { lt: 20 } } }`, where `avg.price` may also be one
 * name. Like a filter, it may contain `and`, `or` and `not`. Throws BAD_REQUEST for unknown names and operators.
 */
export function lowerHaving(resource: ResourceModel, input: unknown, options: HavingOptions): Filter | undefined {
  if (input === undefined || input === null) return undefined;
  return andFilters(lowerObject({ ...options, resource, size: 0 }, input, 0, options.path));
}

function lowerObject(lowering: Lowering, input: unknown, depth: number, path: Path): Filter {
  if (!isPlainObject(input))
    return refuse(path, "invalid_having", "'having' must be an object with conditions by name.");
  const { filterDepth } = lowering.limits.query;
  if (depth > filterDepth)
    refuse(path, "too_deep", `A condition on groups can be nested at most ${filterDepth} levels deep.`);
  const filters = filterEntries(input, false).map(([name, value]) =>
    lowerEntry(lowering, name, value, depth, [...path, name]),
  );
  return andFilters(...filters) ?? ALWAYS;
}

function lowerEntry(lowering: Lowering, name: string, value: unknown, depth: number, path: Path): Filter {
  const { measures } = lowering.resource.aggregates;
  if (name === "not") return notFilter(lowerObject(lowering, value, depth + 1, path));
  if (name === "and" || name === "or") {
    const branches = branchList(lowering, value, path).map((branch, at) =>
      lowerObject(lowering, branch, depth + 1, [...path, at]),
    );
    return name === "or" ? orFilters(...branches) : (andFilters(...branches) ?? ALWAYS);
  }
  const measure = measures.get(name);
  if (measure !== undefined) return lowerMeasure(lowering, measure, value, path);
  if (!AGGREGATE_FUNCTIONS.some((known) => known === name)) return refuseName(lowering, name, value, path);
  if (!isPlainObject(value))
    return refuse(path, "invalid_having", `'${name}' must be an object with conditions by field.`);
  const filters = filterEntries(value, false).map(([field, condition]) => {
    const own = measures.get(`${name}.${field}`);
    const at = [...path, field];
    return own === undefined
      ? refuseName(lowering, `${name}.${field}`, condition, at)
      : lowerMeasure(lowering, own, condition, at);
  });
  return andFilters(...filters) ?? ALWAYS;
}

function lowerMeasure(lowering: Lowering, measure: MeasureModel, value: unknown, path: Path): Filter {
  const { form, limits } = lowering;
  // A bare value is short for `eq`.
  const isBare = !isPlainObject(value);
  const operators = isBare ? ([["eq", value]] as const) : filterEntries(value, false);
  const filters = operators.map(([operator, operand]) => {
    const at = isBare ? path : [...path, operator];
    if (++lowering.size > limits.query.filterSize)
      refuse(at, "too_many", `A condition on groups can have at most ${limits.query.filterSize} comparisons.`);
    if (!measure.operators.includes(operator as Operator)) {
      const message = `'${measure.name}' has no operator ${quote(operator)}. ${suggestName(operator, measure.operators)}Supported: ${listNames(measure.operators)}.`;
      refuse(at, "unknown_operator", message);
    }
    return lowerComparison(measure, operator as Operator, operand, { form, limits, path: at });
  });
  return andFilters(...filters) ?? ALWAYS;
}

function branchList({ form }: Lowering, value: unknown, path: Path): readonly unknown[] {
  const message = `${quote(path.at(-1))} must be a list of conditions.`;
  return branchesOf(form, value) ?? refuse(path, "invalid_having", message);
}

function refuseName({ form, resource }: Lowering, name: string, value: unknown, path: Path): never {
  const connective = closestName(name, connectivesWith(form, value));
  const hint =
    connective === undefined ? hintFor(name, resource.aggregates.measures.keys()) : `Did you mean '${connective}'?`;
  return refuse(path, "unknown_aggregate", `'${resource.name}' has no aggregate ${quote(name)}. ${hint}`);
}
