import type { Key, ResourceModel } from "../../../model/model.ts";
import type { OperationContext } from "../../operation-context.ts";
import type { Deletion, PlannedDeletion } from "./deletion.ts";
import { incomingReferences } from "./incoming-references.ts";
import { lockRows } from "./lock-rows.ts";

/**
 * Locks the deleted rows that others may reference, before their dependents are deleted one after the other. Otherwise
 * the rows that others add meanwhile would make the deletion of a referenced row fail, and the next attempt would find
 * even more of them. Hooks before the deletion have already run, so they can still write by another connection.
 */
export async function lockReferenced(
  context: OperationContext,
  root: PlannedDeletion,
  { isSoft, cascaded, emptied }: Deletion,
): Promise<void> {
  if (isSoft || cascaded.length + emptied.length === 0) return;
  const keysOf = new Map<ResourceModel, Key[]>();
  for (const { resource, key } of [root, ...cascaded]) {
    if (incomingReferences(context.engine.model, resource).length === 0) continue;
    const keys = keysOf.get(resource);
    if (keys === undefined) keysOf.set(resource, [key]);
    else keys.push(key);
  }
  for (const [resource, keys] of keysOf) await lockRows(context, resource, keys);
}
