import { BifocalError } from "../../errors/bifocal-error.ts";
import { relatedCondition } from "../../lowering/related-condition.ts";
import type { RelatedComputation } from "../../model/computation.ts";
import type { ComputedModel, FieldModel, RelationModel, ResourceModel } from "../../model/model.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { andFilters, type RelatedValue } from "../../operation/filter.ts";
import type { OperationContext } from "../operation-context.ts";
import { decide, isAlways } from "./decide.ts";

/**
 * Returns the value that a store computes for a field from related rows. It only depends on rows that the caller can
 * read. Undefined if the caller can't read the field of the related rows on every row.
 */
export async function decideRelated(
  context: OperationContext,
  resource: ResourceModel,
  { type }: ComputedModel,
  computation: RelatedComputation,
): Promise<RelatedValue | undefined> {
  const { model, limits } = context.engine;
  const relation = resource.relations.get(computation.relation) as RelationModel;
  const target = resourceOf(model, relation.target);
  const { field, function: kind } = computation;
  if (field !== undefined) {
    const { read } = target.fields.get(field) as FieldModel;
    if (!isAlways(await decide(context, read, target))) return undefined;
  }
  const visible = await decide(context, target.access.read, target);
  const filter = andFilters(visible, relatedCondition(model, target, computation, limits));
  return { relation, kind: kind === "count" ? "rows" : kind, field, filter, type };
}

/** Rejects a filter on such a value where rows are matched one by one, before or after a change. */
export function refuseRelatedValues(what: string): never {
  const message = `${what} can't be filtered by fields that are computed from related rows.`;
  throw new BifocalError("BAD_REQUEST", message, { issues: [{ path: ["filter"], message, code: "unsupported" }] });
}
