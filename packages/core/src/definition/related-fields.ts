import type { AggregateFunction } from "./aggregate-functions.ts";
import type { AnyFilter } from "./filters.ts";

/** A field that is computed from the related rows of a row. `Field` is a field of the target. */
export interface RelatedField<
  Relation extends string = string,
  Function extends "count" | AggregateFunction = "count" | AggregateFunction,
  Field extends string | undefined = string | undefined,
> {
  readonly "~bifocal": "computed";
  readonly relation: Relation;
  readonly aggregate: Function;
  readonly field: Field;
  readonly filter: AnyFilter | undefined;
}

/**
 * Counts the related rows that the caller can read and that match the filter.
 * @example openIssues: count("issues", { status: { eq: "open" } })
 */
export function count<const Relation extends string>(
  relation: Relation,
  filter?: AnyFilter,
): RelatedField<Relation, "count", undefined> {
  return relatedField(relation, "count", undefined, filter);
}

/** Adds up a field of the related rows. Null if no row has a value. */
export function sum<const Relation extends string, const Field extends string>(
  relation: Relation,
  field: Field,
  filter?: AnyFilter,
): RelatedField<Relation, "sum", Field> {
  return relatedField(relation, "sum", field, filter);
}

/** Computes the average of a field of the related rows. Null if no row has a value. */
export function avg<const Relation extends string, const Field extends string>(
  relation: Relation,
  field: Field,
  filter?: AnyFilter,
): RelatedField<Relation, "avg", Field> {
  return relatedField(relation, "avg", field, filter);
}

/** Returns the smallest value of a field of the related rows. Null if no row has a value. */
export function min<const Relation extends string, const Field extends string>(
  relation: Relation,
  field: Field,
  filter?: AnyFilter,
): RelatedField<Relation, "min", Field> {
  return relatedField(relation, "min", field, filter);
}

/** Returns the largest value of a field of the related rows. Null if no row has a value. */
export function max<const Relation extends string, const Field extends string>(
  relation: Relation,
  field: Field,
  filter?: AnyFilter,
): RelatedField<Relation, "max", Field> {
  return relatedField(relation, "max", field, filter);
}

function relatedField<
  const Relation extends string,
  const Function extends "count" | AggregateFunction,
  const Field extends string | undefined,
>(
  relation: Relation,
  aggregate: Function,
  field: Field,
  filter: AnyFilter | undefined,
): RelatedField<Relation, Function, Field> {
  return { "~bifocal": "computed", relation, aggregate, field, filter };
}
