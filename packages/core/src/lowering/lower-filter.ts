import { suggestName } from "../util/closest-name.ts";
import type { FieldModel, Model, RelationModel, ResourceModel } from "../model/model.ts";
import { CONNECTIVES, type Operator, OPERATOR_NAMES, OPERATORS, QUANTIFIERS } from "../definition/operators.ts";
import { ALWAYS, andFilters, type Filter, notFilter, orFilters } from "../operation/filter.ts";
import { branchesOf, connectivesWith } from "./connectives.ts";
import { filterEntries } from "./filter-entries.ts";
import type { Limits } from "../limits/limits.ts";
import { lowerComparison } from "./lower-comparison.ts";
import type { FilterForm } from "./lower-operand.ts";
import { isPlainObject, listNames, type Path, quote, refuse } from "../errors/refuse.ts";

/** A resource with the model that contains it. */
export interface LoweringTarget {
  readonly model: Model;
  readonly resource: ResourceModel;
}

export interface FilterOptions {
  readonly form: FilterForm;
  readonly limits: Limits;
  /** Location of the filter in the request, for messages. */
  readonly path: Path;
  /** Set for rules: every field may be used, including internal ones, and no limits apply. */
  readonly trusted?: boolean;
  /** Set for the filter that a rule returns. An empty filter is then an error, because it would match every row. */
  readonly isRule?: boolean;
}

interface Lowering extends FilterOptions {
  readonly model: Model;
  /** Number of conditions so far. */
  size: number;
  /** Number of conditions that require a scan of all rows. */
  scans: number;
  /** True inside an odd number of `not`s. No index can find rows that don't match. */
  isNegated: boolean;
  /** Number of relations between the resource and the current position. */
  hops: number;
}

/**
 * Lowers a filter object, which has the same form in URLs, GraphQL arguments, local calls and rules. Unknown or
 * forbidden names fail with BAD_REQUEST. So does an `undefined` operand, because a filter that lost a condition would
 * match more rows.
 * @returns `undefined` if the filter matches every row.
 */
export function lowerFilter(target: LoweringTarget, input: unknown, options: FilterOptions): Filter | undefined {
  if (input === undefined || (input === null && options.form === "wire")) return undefined;
  const lowering: Lowering = { ...options, model: target.model, size: 0, scans: 0, isNegated: false, hops: 0 };
  refuseEmpty(lowering, input, options.path);
  return andFilters(lowerObject(lowering, target.resource, input, 0, options.path));
}

function lowerObject(lowering: Lowering, resource: ResourceModel, input: unknown, depth: number, path: Path): Filter {
  if (!isPlainObject(input)) {
    const example = "an object with conditions by field name";
    return refuse(path, "invalid_filter", `A filter for '${resource.name}' must be ${example}.`);
  }
  checkDepth(lowering, depth, path);
  const entries = filterEntries(input, lowering.form === "text");
  if (entries.length === 0) countCondition(lowering, path);
  const filters = entries.map(([name, value]) => lowerEntry(lowering, resource, name, value, depth, [...path, name]));
  return andFilters(...filters) ?? ALWAYS;
}

function lowerEntry(
  lowering: Lowering,
  resource: ResourceModel,
  name: string,
  value: unknown,
  depth: number,
  path: Path,
): Filter {
  const isJoin = name === "and" || name === "or";
  if (isJoin || name === "not") refuseEmpty(lowering, value, path);
  if (name === "not") {
    const { isNegated } = lowering;
    lowering.isNegated = !isNegated;
    const opposite = notFilter(lowerObject(lowering, resource, value, depth + 1, path));
    lowering.isNegated = isNegated;
    return opposite;
  }
  if (isJoin) {
    const branches = branchList(lowering, value, path).map((branch, index) => {
      refuseEmpty(lowering, branch, [...path, index]);
      return lowerObject(lowering, resource, branch, depth + 1, [...path, index]);
    });
    if (branches.length === 0) countCondition(lowering, path);
    return name === "or" ? orFilters(...branches) : (andFilters(...branches) ?? ALWAYS);
  }
  const relation = resource.relations.get(name);
  if (relation !== undefined) return lowerRelated(lowering, relation, value, depth + 1, path);
  const field = resource.fields.get(name) ?? filterableComputed(lowering, resource, name);
  if (field !== undefined && isAllowed(lowering, field)) return lowerField(lowering, field, value, path);
  return refuseName(lowering, resource, value, path);
}

function lowerField(lowering: Lowering, field: FieldModel, value: unknown, path: Path): Filter {
  // A bare value is short for `eq`.
  const operators = isPlainObject(value) ? filterEntries(value, false) : ([["eq", value]] as const);
  const isBare = !isPlainObject(value);
  refuseEmpty(lowering, value, path);
  if (operators.length === 0) countCondition(lowering, path);
  const filters = operators.map(([operator, operand]) => {
    countCondition(lowering, path);
    if (!field.operators.includes(operator as Operator)) refuseOperator(field, operator, isBare, path);
    if (lowering.isNegated || OPERATORS[operator as Operator].access === "scan") countScan(lowering, path);
    return lowerComparison(field, operator as Operator, operand, {
      form: lowering.form,
      limits: lowering.trusted === true ? undefined : lowering.limits,
      path: isBare ? path : [...path, operator],
    });
  });
  return andFilters(...filters) ?? ALWAYS;
}

function lowerRelated(lowering: Lowering, relation: RelationModel, value: unknown, depth: number, path: Path): Filter {
  const target = lowering.model.resources.get(relation.target) as ResourceModel;
  const related = (quantifier: "one" | "some" | "every" | "none", inner: unknown, at: Path): Filter => {
    const { isNegated } = lowering;
    lowering.hops++;
    lowering.isNegated = false;
    checkHops(lowering, at);
    const filter = lowerObject(lowering, target, inner, depth, at);
    lowering.isNegated = isNegated;
    lowering.hops--;
    return { kind: "related", relation: relation.name, quantifier, filter };
  };
  if (!relation.many) return related("one", value, path);
  const takes = `'${relation.name}' supports ${listNames(QUANTIFIERS)}`;
  if (!isPlainObject(value)) return refuse(path, "invalid_filter", `${takes}, each with a filter.`);
  const entries = filterEntries(value, false);
  if (entries.length === 0) countCondition(lowering, path);
  const filters = entries.map(([name, inner]) => {
    const quantifier = QUANTIFIERS.find((known) => known === name);
    if (quantifier === undefined) {
      const message = `${takes}, not ${quote(name)}. ${suggestName(name, QUANTIFIERS)}`.trimEnd();
      return refuse([...path, name], "unknown_operator", message);
    }
    return related(quantifier, inner, [...path, name]);
  });
  return andFilters(...filters) ?? ALWAYS;
}

function branchList({ form }: Lowering, value: unknown, path: Path): readonly unknown[] {
  return branchesOf(form, value) ?? refuse(path, "invalid_filter", `${quote(path.at(-1))} must be a list of filters.`);
}

/** Rules only see stored fields. */
function filterableComputed(lowering: Lowering, resource: ResourceModel, name: string): FieldModel | undefined {
  const field = lowering.isRule === true ? undefined : resource.computed.get(name);
  return field?.filterable === true ? field : undefined;
}

function isAllowed(lowering: Lowering, field: FieldModel): boolean {
  // Rules also apply to events, which don't contain secret fields.
  if (lowering.isRule === true) return !field.secret;
  return lowering.trusted === true || (field.filterable && !field.internal);
}

function checkDepth(lowering: Lowering, depth: number, path: Path): void {
  if (lowering.trusted === true || depth <= lowering.limits.query.filterDepth) return;
  refuse(path, "too_deep", `A filter can be nested at most ${lowering.limits.query.filterDepth} levels deep.`);
}

function checkHops(lowering: Lowering, path: Path): void {
  if (lowering.trusted === true || lowering.hops <= lowering.limits.query.filterHops) return;
  refuse(path, "too_deep", `A filter can follow at most ${lowering.limits.query.filterHops} relations in a row.`);
}

function countCondition(lowering: Lowering, path: Path): void {
  lowering.size++;
  if (lowering.trusted === true || lowering.size <= lowering.limits.query.filterSize) return;
  refuse(path, "too_many", `A filter can have at most ${lowering.limits.query.filterSize} conditions.`);
}

/** The names that `countScan` counts, for its message. */
const SCANS = ["not", ...OPERATOR_NAMES.filter((operator) => OPERATORS[operator].access === "scan")];

function countScan(lowering: Lowering, path: Path): void {
  lowering.scans++;
  const { filterScans } = lowering.limits.query;
  if (lowering.trusted === true || lowering.scans <= filterScans) return;
  const message =
    `A filter can have at most ${filterScans} conditions that can't use an index (limit 'filterScans'): ${listNames(SCANS)}. ` +
    "Use fewer of them, or 'eq', 'in', 'startsWith' and ranges.";
  refuse(path, "too_many_scans", message);
}

/** In a rule, `{ ownerId: {} }` has probably lost its operand. For a relation, `{}` is valid: a related row exists. */
function refuseEmpty({ isRule }: Lowering, value: unknown, path: Path): void {
  if (isRule !== true || typeof value !== "object" || value === null || Object.keys(value).length > 0) return;
  refuse(path, "empty", "The filter has no conditions. To match every row, return true.");
}

function refuseOperator(field: FieldModel, operator: string, isBare: boolean, path: Path): never {
  const problem = isBare
    ? `'${field.name}' requires an operator`
    : `'${field.name}' has no operator ${quote(operator)}`;
  const at = isBare ? path : [...path, operator];
  const hint = isBare ? "" : suggestName(operator, field.operators);
  return refuse(at, "unknown_operator", `${problem}. ${hint}Supported: ${listNames(field.operators)}.`);
}

/** The message is the same for an internal field and for an unknown name. */
function refuseName(lowering: Lowering, resource: ResourceModel, value: unknown, path: Path): never {
  const stored = [...resource.fields.values()].filter((other) => isAllowed(lowering, other)).map(({ name }) => name);
  const computed = [...resource.computed.keys()].filter((name) => filterableComputed(lowering, resource, name));
  const fields = [...stored, ...computed];
  const names = [...fields, ...resource.relations.keys()];
  const exists = listNames(names.length === 0 ? [] : [...names, ...CONNECTIVES]);
  const name = path.at(-1);
  const problem = `'${resource.name}' can't be filtered by ${quote(name)}`;
  const hint = suggestName(String(name), [...connectivesWith(lowering.form, value), ...names]);
  return refuse(path, "unknown_field", `${problem}. ${hint}Available: ${exists}.`);
}
