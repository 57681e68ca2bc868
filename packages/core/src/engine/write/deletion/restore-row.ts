import { BifocalError } from "../../../errors/bifocal-error.ts";
import { CASCADE_COST } from "../../../limits/cost.ts";
import { notFound } from "../../../lowering/not-found.ts";
import type { Key, ResourceModel, Row } from "../../../model/model.ts";
import { referenceOf } from "../../../model/reference.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { andFilters, type Filter } from "../../../operation/filter.ts";
import { valueFilter } from "../../../operation/keys-filter.ts";
import { keyOf } from "../../../operation/key.ts";
import type { ActOperation } from "../../../operation/operation.ts";
import { stale } from "../../../operation/preconditions.ts";
import type { Json } from "../../../util/json.ts";
import { failsPrecondition } from "../../access/caller-version.ts";
import { decide, denied, isNever } from "../../access/decide.ts";
import { totalSort } from "../../read/needed-fields.ts";
import { type OperationContext, storeOfReferences, storeWithDeleted } from "../../operation-context.ts";
import { keepsRow } from "../../history/recorded-change.ts";
import { eachRow } from "../../read/each-row.ts";
import { storeFilter } from "../../read/rewrite-related.ts";
import { readVisible } from "../../run-get.ts";
import { deletedFilter } from "../../scope/deleted-rows.ts";
import { noteUniqueViolation } from "../checks/unique-violation.ts";
import { regenerate } from "../create/build-row.ts";
import { type Hooked, runHook, toItem } from "../run-hook.ts";
import { clearedFields } from "./cleared-fields.ts";
import { incomingReferences } from "./incoming-references.ts";
import { lockRows } from "./lock-rows.ts";

interface Deleted {
  readonly resource: ResourceModel;
  readonly row: Row;
}

/** The decisions about an action on a row. */
export interface ItemRights {
  /** The decision of the read rule. */
  readonly visible: Filter;
  /** The decision of the rule of the action. */
  readonly decision: Filter;
  /** Completes "You are not allowed to …". */
  readonly what: string;
}

/**
 * Restores a soft-deleted row within a transaction, and all rows that its deletion deleted by cascade. For these no
 * rules run, as for their deletion. Each restored row is created for subscribers.
 */
export async function restoreRow(
  hooked: Hooked,
  { key, ifMatch, ifNoneMatch }: ActOperation,
  { visible, decision, what }: ItemRights,
): Promise<void> {
  const { context, resource, events } = hooked;
  if (key === undefined) throw notFound(resource);
  const filter = await storeFilter(context, resource, andFilters(deletedFilter(resource), visible, decision));
  const store = storeWithDeleted(context, resource.name);
  const [row] = await store.byKeys({ resource, keys: [key], filter }, context.deadline);
  if (row === undefined) throw await refusal(context, resource, key, what);
  if (await failsPrecondition(context, resource, row, ifMatch, ifNoneMatch)) throw stale(resource);
  await runHook(hooked, "act", "before", { item: toItem(resource, row), input: undefined });
  const rows = await deletedTogether(context, { resource, row }, context.engine.limits.query.cascade - events.length);
  await context.engine.charge(context.caller, CASCADE_COST * (rows.length - 1));
  for (const one of rows) {
    const after = await restoreOne(context, one);
    const event = { resource: one.resource.name, kind: "created", key: keyOf(one.resource, after), after } as const;
    events.push(keepsRow(event, { before: one.row, after }));
  }
  await runHook(hooked, "act", "after", { item: toItem(resource, row), result: undefined });
}

/** A caller who can't read deleted rows must not learn which ones exist. */
async function refusal(
  context: OperationContext,
  resource: ResourceModel,
  key: Key,
  what: string,
): Promise<BifocalError> {
  if ((await readVisible(context, resource, key)) !== undefined) {
    return new BifocalError("CONFLICT", `This ${resource.name} isn't deleted.`);
  }
  if (isNever(await decide(context, resource.access.deleted, resource))) return notFound(resource);
  return (await readVisible(context, resource, key, "only")) === undefined ? notFound(resource) : denied(context, what);
}

/** Returns a deleted row, and the rows that the same deletion deleted by cascade, each after the rows it references. */
async function deletedTogether(context: OperationContext, root: Deleted, most: number): Promise<readonly Deleted[]> {
  const time = timeOf(root);
  const found: Deleted[] = [root];
  const tokens = new Set([tokenOf(root)]);
  for (const parent of found) {
    for (const { resource, relation } of incomingReferences(context.engine.model, parent.resource)) {
      const value = referenceOf(relation.foreign, parent.row);
      const field = resource.softDelete;
      if (field === undefined || relation.onDelete !== "cascade" || value === null) continue;
      const filter = andFilters(valueFilter(relation.local, value), {
        kind: "compare",
        field,
        operator: "eq",
        value: time,
      });
      const visit = (row: Row): void => {
        const token = tokenOf({ resource, row });
        if (tokens.has(token)) return;
        tokens.add(token);
        found.push({ resource, row });
        if (found.length - 1 > most) throw tooMany(context, root.resource);
      };
      await eachRow(context, resource, filter, visit, storeOfReferences(context, resource.name, true));
    }
  }
  return found;
}

function timeOf({ resource, row }: Deleted): Json {
  return row[resource.softDelete as string] ?? null;
}

function tokenOf({ resource, row }: Deleted): string {
  return JSON.stringify([resource.name, keyOf(resource, row)]);
}

function tooMany({ engine }: OperationContext, { name }: ResourceModel): BifocalError {
  const most = engine.limits.query.cascade.toLocaleString("en");
  const message = `Restoring this ${name} would restore more than ${most} other rows (limit 'cascade').`;
  return new BifocalError("CONFLICT", message);
}

async function restoreOne(context: OperationContext, { resource, row }: Deleted): Promise<Row> {
  const key = keyOf(resource, row);
  const set: Row = {
    ...regenerate(context, resource),
    ...(await missingReferences(context, resource, row)),
    [resource.softDelete as string]: null,
  };
  const store = storeOfReferences(context, resource.name, true);
  const where = deletedFilter(resource);
  const written = { ...row, ...set };
  const result = await noteUniqueViolation(
    resource,
    written,
    () => store.update({ resource, key, set, where }, context.deadline),
    key,
  );
  if (result.kind !== "done") throw notFound(resource);
  return result.after;
}

/**
 * Returns the references to set to null because their rows were deleted since. Throws CONFLICT for other references to
 * deleted rows.
 */
async function missingReferences(context: OperationContext, resource: ResourceModel, row: Row): Promise<Row> {
  const set: Record<string, null> = {};
  for (const relation of resource.relations.values()) {
    const { kind, name, target, local, foreign, onDelete, toKey } = relation;
    const value = kind === "belongsTo" ? referenceOf(local, row) : null;
    if (value === null) continue;
    const far = resourceOf(context.engine.model, target);
    const query = { resource: far, filter: valueFilter(foreign, value), sort: totalSort(far, []), limit: 1 };
    const [found] = (await context.storeOf(target).list(query, context.deadline)).rows;
    if (found !== undefined) {
      // No foreign key protects a reference to another value than the key.
      if (!toKey) await lockRows(context, far, [keyOf(far, found)]);
      continue;
    }
    if (onDelete !== "setNull") {
      // The names of the fields may be internal.
      const message = toKey
        ? `This ${resource.name} can't be restored, because its ${name} is deleted. Restore the ${name} first.`
        : `This ${resource.name} can't be restored, because its ${name} is deleted or no longer has the referenced value. Restore the ${name} or its value first.`;
      throw new BifocalError("CONFLICT", message);
    }
    for (const field of clearedFields(resource, relation)) set[field] = null;
  }
  return set;
}
