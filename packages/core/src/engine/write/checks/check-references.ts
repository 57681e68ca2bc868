import { BifocalError, type Issue } from "../../../errors/bifocal-error.ts";
import type { Key, RelationModel, ResourceModel, Row } from "../../../model/model.ts";
import { decide, isNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { type MaybePromise, mapMaybePromise } from "../../../util/maybe-promise.ts";
import { storeFilter } from "../../read/rewrite-related.ts";

/**
 * Whether every reference of a write leads to a row, if that is known at once and nothing can change before the write.
 * Otherwise, `checkReferences` must decide in a transaction.
 */
export function holdAtOnce(context: OperationContext, resource: ResourceModel, set: Row): boolean {
  if (resource.relations.size === 0) return true;
  const references = setReferences(resource, set);
  if (references.length === 0) return true;
  if (context.storeOf(resource.name).isFree?.() !== true) return false;
  return references.every((relation) => {
    const found = isThere(context, relation, set[relation.local] as Key);
    if (found instanceof Promise) found.catch(() => {});
    return found === true;
  });
}

/** Returns the references that a write sets. */
export function setReferences(resource: ResourceModel, set: Row): readonly RelationModel[] {
  const relations: RelationModel[] = [];
  for (const relation of resource.relations.values()) {
    if (relation.kind === "belongsTo" && (set[relation.local] ?? null) !== null) relations.push(relation);
  }
  return relations;
}

/** Rejects a reference to a missing or hidden row. The error is the same for both. */
export async function checkReferences(context: OperationContext, resource: ResourceModel, set: Row): Promise<void> {
  const issues: Issue[] = [];
  for (const relation of setReferences(resource, set)) {
    if (await isThere(context, relation, set[relation.local] as Key)) continue;
    const message = `There is no ${relation.target} with this id.`;
    issues.push({ path: [relation.local], message, code: "unknown_reference" });
  }
  if (issues.length > 0)
    throw new BifocalError("VALIDATION_FAILED", "The input references a row that doesn't exist.", { issues });
}

function isThere(context: OperationContext, relation: RelationModel, key: Key): MaybePromise<boolean> {
  const target = resourceOf(context.engine.model, relation.target);
  return mapMaybePromise(decide(context, target.access.read, target), (visible) => {
    if (isNever(visible)) return false;
    const asked = visible.kind === "constant" ? undefined : storeFilter(context, target, visible);
    return mapMaybePromise(asked, (filter) => {
      const query = { resource: target, keys: [key], filter };
      const found = context.storeOf(target.name).byKeys(query, context.deadline);
      return mapMaybePromise(found, (rows) => rows.length > 0);
    });
  });
}
