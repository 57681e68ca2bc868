import type { Limits } from "../limits/limits.ts";
import type { RelatedComputation } from "../model/computation.ts";
import type { Model, ResourceModel } from "../model/model.ts";
import type { Filter } from "../operation/filter.ts";
import { lowerFilter } from "./lower-filter.ts";

const KNOWN = new WeakMap<RelatedComputation, { readonly filter: Filter | undefined }>();

/**
 * Returns the condition of a computed field on rows of its target. Throws if the condition is invalid, which is a
 * mistake in the definition.
 */
export function relatedCondition(
  model: Model,
  target: ResourceModel,
  computation: RelatedComputation,
  limits: Limits,
): Filter | undefined {
  let known = KNOWN.get(computation);
  if (known === undefined) {
    const options = { form: "value", limits, path: [], trusted: true, isRule: true } as const;
    known = { filter: lowerFilter({ model, resource: target }, computation.where, options) };
    KNOWN.set(computation, known);
  }
  return known.filter;
}
