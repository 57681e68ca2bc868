import type { ResourceModel } from "../model/model.ts";

/** A row whose key is not called `id` has an `id` in GraphQL all the same, computed from its key. */
export function hasComputedId({ fields, relations }: ResourceModel): boolean {
  return !fields.has("id") && !relations.has("id");
}
