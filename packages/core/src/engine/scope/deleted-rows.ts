import type { ResourceModel } from "../../model/model.ts";
import type { DeletedRows } from "../../operation/deleted-rows.ts";
import { andFilters, type Filter, NEVER, notFilter, orFilters } from "../../operation/filter.ts";
import { decide, refuseNever } from "../access/decide.ts";
import type { OperationContext } from "../operation-context.ts";
import { livingFilter } from "./living.ts";

/** Returns the condition that a row is soft-deleted. */
export function deletedFilter(resource: ResourceModel): Filter {
  const living = livingFilter(resource);
  return living === undefined ? NEVER : notFilter(living);
}

/**
 * Returns the condition on the rows of a read that asks for deleted ones, and undefined for any other read. Throws
 * FORBIDDEN or UNAUTHENTICATED if the caller can't read deleted rows.
 */
export async function decideDeleted(
  context: OperationContext,
  resource: ResourceModel,
  deleted: DeletedRows | undefined,
): Promise<Filter | undefined> {
  if (deleted === undefined) return undefined;
  const decision = await decide(context, resource.access.deleted, resource);
  refuseNever(context, decision, `read deleted ${resource.plural}`);
  const allowed = andFilters(deletedFilter(resource), decision) ?? NEVER;
  return deleted === "only" ? allowed : orFilters(livingFilter(resource) ?? NEVER, allowed);
}
