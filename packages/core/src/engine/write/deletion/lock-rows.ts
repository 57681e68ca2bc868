import type { Key, ResourceModel } from "../../../model/model.ts";
import { type OperationContext, storeOfReferences } from "../../operation-context.ts";

/** Number of keys in one statement. */
const CHUNK = 500;

/** Locks rows, deleted or not, until the transaction ends. */
export async function lockRows(
  context: OperationContext,
  resource: ResourceModel,
  keys: readonly Key[],
): Promise<void> {
  const store = storeOfReferences(context, resource.name, true);
  for (let at = 0; at < keys.length && store.lock !== undefined; at += CHUNK)
    await store.lock({ resource, keys: keys.slice(at, at + CHUNK) }, context.deadline);
}
