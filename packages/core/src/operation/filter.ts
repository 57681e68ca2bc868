import type { Operator } from "../definition/operators.ts";
import type { RelationModel } from "../model/model.ts";
import type { WireType } from "../model/wire-type.ts";
import type { Json } from "../util/json.ts";

/**
 * A condition on rows of one resource, in stored form. Two-valued: each condition is either true or false for a row.
 * `OPERATORS` defines which operators match rows without a value, and `not` is the exact opposite of its operand.
 */
export type Filter = AndFilter | OrFilter | NotFilter | CompareFilter | RelatedFilter | ConstantFilter;

export interface AndFilter {
  readonly kind: "and";
  readonly filters: readonly Filter[];
}
export interface OrFilter {
  readonly kind: "or";
  readonly filters: readonly Filter[];
}
export interface NotFilter {
  readonly kind: "not";
  readonly filter: Filter;
}
/** The form of `value` depends on `operand` in `OPERATORS`: a list (possibly empty, never with `null`), a boolean, or one value. */
export interface CompareFilter {
  readonly kind: "compare";
  readonly field: string;
  readonly operator: Operator;
  readonly value: Json;
  /** Set by the engine if the field is computed from related rows. */
  readonly related?: RelatedValue;
}
/**
 * A value that a store computes from the related rows of each row. `rows`: their number. `values`: the number of those
 * with a value. The others ignore missing values; without any value, they are null. The filter includes the caller's
 * rights. `type` is the type of the value, which decides how `avg` is rounded.
 */
export interface RelatedValue {
  readonly relation: RelationModel;
  readonly kind: "rows" | "values" | "sum" | "avg" | "min" | "max";
  /** A field of the target. Absent for `rows`. */
  readonly field: string | undefined;
  readonly filter: Filter | undefined;
  readonly type: WireType;
}
/** `one` is for to-one relations: the row exists and matches. */
export interface RelatedFilter {
  readonly kind: "related";
  readonly relation: string;
  readonly quantifier: "one" | "some" | "every" | "none";
  readonly filter: Filter;
}
export interface ConstantFilter {
  readonly kind: "constant";
  readonly value: boolean;
}

export const ALWAYS: ConstantFilter = { kind: "constant", value: true };
export const NEVER: ConstantFilter = { kind: "constant", value: false };

/** Whether a filter compares a value that is computed from related rows. */
export function usesRelatedValues(filter: Filter | undefined): boolean {
  switch (filter?.kind) {
    case "and":
    case "or":
      return filter.filters.some(usesRelatedValues);
    case "not":
    case "related":
      return usesRelatedValues(filter.filter);
    case "compare":
      return filter.related !== undefined;
    default:
      return false;
  }
}

/** Joins filters with `and`. Constants and nested `and`s are folded. */
export function andFilters(...filters: readonly (Filter | undefined)[]): Filter | undefined {
  const parts: Filter[] = [];
  for (const filter of filters) {
    if (filter === undefined || (filter.kind === "constant" && filter.value)) continue;
    if (filter.kind === "constant") return NEVER;
    if (filter.kind === "and") parts.push(...filter.filters);
    else parts.push(filter);
  }
  return parts.length < 2 ? parts[0] : { kind: "and", filters: parts };
}

/** Joins filters with `or`. Constants and nested `or`s are folded; without filters, the result is `NEVER`. */
export function orFilters(...filters: readonly Filter[]): Filter {
  const parts: Filter[] = [];
  for (const filter of filters) {
    if (filter.kind === "constant") {
      if (filter.value) return ALWAYS;
    } else if (filter.kind === "or") parts.push(...filter.filters);
    else parts.push(filter);
  }
  return parts.length < 2 ? (parts[0] ?? NEVER) : { kind: "or", filters: parts };
}

/** Returns the exact opposite of a filter. */
export function notFilter(filter: Filter): Filter {
  if (filter.kind === "constant") return filter.value ? NEVER : ALWAYS;
  return filter.kind === "not" ? filter.filter : { kind: "not", filter };
}

/** Whether a filter follows a relation. */
export function isRelated(filter: Filter): boolean {
  if (filter.kind === "and" || filter.kind === "or") return filter.filters.some(isRelated);
  if (filter.kind === "compare") return filter.related !== undefined;
  return filter.kind === "related" || (filter.kind === "not" && isRelated(filter.filter));
}
