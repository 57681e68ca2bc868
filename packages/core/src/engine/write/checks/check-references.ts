import { BifocalError, type Issue } from "../../../errors/bifocal-error.ts";
import type { Key, RelationModel, ResourceModel, Row } from "../../../model/model.ts";
import { decide, isNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { storeFilter } from "../../read/rewrite-related.ts";

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

async function isThere(context: OperationContext, relation: RelationModel, key: Key): Promise<boolean> {
  const target = resourceOf(context.engine.model, relation.target);
  const visible = await decide(context, target.access.read, target);
  if (isNever(visible)) return false;
  const filter = visible.kind === "constant" ? undefined : await storeFilter(context, target, visible);
  const rows = await context.storeOf(target.name).byKeys({ resource: target, keys: [key], filter }, context.deadline);
  return rows.length > 0;
}
