import { BifocalError, type Issue } from "../../../errors/bifocal-error.ts";
import type { Key, RelationModel, ResourceModel, Row } from "../../../model/model.ts";
import { ALWAYS } from "../../../operation/filter.ts";
import { missingReference, referenceOf } from "../../../model/reference.ts";
import { decide, isNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { type MaybePromise, mapMaybePromise } from "../../../util/maybe-promise.ts";
import { readReferenced } from "../../read/read-referenced.ts";
import { storeFilter } from "../../read/rewrite-related.ts";

/**
 * Whether every reference of a write leads to a row, if that is known at once and nothing can change before the write.
 * Otherwise, `checkReferences` must decide in a transaction.
 */
export function holdAtOnce(context: OperationContext, resource: ResourceModel, set: Row): boolean {
  if (resource.relations.size === 0) return true;
  let isFree = false;
  for (const relation of resource.relations.values()) {
    const value = relation.kind === "belongsTo" ? referenceOf(relation.local, set) : null;
    if (value === null) continue;
    isFree ||= context.storeOf(resource.name).isFree?.() === true;
    if (!isFree) return false;
    const found = isThere(context, relation, value);
    if (found instanceof Promise) found.catch(() => {});
    if (found !== true) return false;
  }
  return true;
}

/** A reference of a row that a write sets. */
export interface SetReference {
  readonly relation: RelationModel;
  readonly value: Key;
}

/**
 * Returns the references that a write sets. `before` is the row to update; it is only needed if `setsPartly` is true.
 */
export function setReferences(resource: ResourceModel, set: Row, before?: Row): readonly SetReference[] {
  const references: SetReference[] = [];
  for (const relation of resource.relations.values()) {
    if (relation.kind !== "belongsTo") continue;
    const { local } = relation;
    const isPart = before !== undefined && local.length > 1 && local.some((name) => set[name] !== undefined);
    const value = referenceOf(local, isPart ? { ...before, ...set } : set);
    if (value !== null) references.push({ relation, value });
  }
  return references;
}

/** Whether a write sets some fields of a reference but not all of them, so that its value depends on the row. */
export function setsPartly({ relations }: ResourceModel, set: Row): boolean {
  for (const { kind, local } of relations.values()) {
    if (kind !== "belongsTo" || local.length === 1) continue;
    const count = local.filter((name) => set[name] !== undefined).length;
    if (count > 0 && count < local.length) return true;
  }
  return false;
}

/** Rejects a reference to a missing or hidden row. The error is the same for both. */
export async function checkReferences(
  context: OperationContext,
  resource: ResourceModel,
  set: Row,
  before?: Row,
): Promise<void> {
  const issues: Issue[] = [];
  for (const { relation, value } of setReferences(resource, set, before)) {
    if (await isThere(context, relation, value)) continue;
    issues.push(missingReference(resource, relation));
  }
  if (issues.length > 0)
    throw new BifocalError("VALIDATION_FAILED", "The input references a row that doesn't exist.", { issues });
}

function isThere(context: OperationContext, relation: RelationModel, key: Key): MaybePromise<boolean> {
  const target = resourceOf(context.engine.model, relation.target);
  const decision = decide(context, target.access.read, target);
  if (decision === ALWAYS) {
    const rows = readReferenced(context, relation, { resource: target, keys: [key] });
    return rows instanceof Promise ? rows.then(hasRows) : hasRows(rows);
  }
  return mapMaybePromise(decision, (visible) => {
    if (isNever(visible)) return false;
    const asked = visible.kind === "constant" ? undefined : storeFilter(context, target, visible);
    return mapMaybePromise(asked, (filter) => {
      const found = readReferenced(context, relation, { resource: target, keys: [key], filter });
      return mapMaybePromise(found, hasRows);
    });
  });
}

function hasRows(rows: readonly Row[]): boolean {
  return rows.length > 0;
}
