import type { ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";

const LIVING = new WeakMap<ResourceModel, Filter>();

/** Returns the condition that a row isn't soft-deleted; undefined if the resource has no soft delete. */
export function livingFilter(resource: ResourceModel): Filter | undefined {
  const { softDelete } = resource;
  if (softDelete === undefined) return undefined;
  let filter = LIVING.get(resource);
  if (filter === undefined) {
    filter = Object.freeze({ kind: "compare", field: softDelete, operator: "isNull", value: true });
    LIVING.set(resource, filter);
  }
  return filter;
}

/** Whether a row is soft-deleted. */
export function isDeleted({ softDelete }: ResourceModel, row: Row): boolean {
  return softDelete !== undefined && (row[softDelete] ?? null) !== null;
}
