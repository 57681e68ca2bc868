import type { ResourceModel } from "../model/model.ts";

/** Returns whether GraphQL computes `id` from the key, because the resource has no field `id`. */
export function hasComputedId({ fields, relations }: ResourceModel): boolean {
  return !fields.has("id") && !relations.has("id");
}
