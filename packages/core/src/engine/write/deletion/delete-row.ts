import { CASCADE_COST } from "../../../limits/cost.ts";
import { notFound } from "../../../lowering/not-found.ts";
import type { Key, Row } from "../../../model/model.ts";
import { type Filter, andFilters } from "../../../operation/filter.ts";
import type { Precondition, DeleteOperation } from "../../../operation/operation.ts";
import { rowVersion } from "../../../model/row-version.ts";
import { failsPrecondition } from "../../access/caller-version.ts";
import { storeFilter } from "../../read/rewrite-related.ts";
import { lockReferenced } from "./lock-referenced.ts";
import { planDeletion } from "./plan-deletion.ts";
import { stale } from "../../../operation/preconditions.ts";
import { refusalOfWrite, requirePrecondition } from "../checks/refuse-write.ts";
import { applyDeletion, deletedEvent } from "./apply-deletion.ts";
import { type Hooked, runHook, toItem } from "../run-hook.ts";
import type { NothingOutcome } from "../../../operation/outcome.ts";
import { decide, isAlways, refuseNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { requireWrites } from "../checks/check-input.ts";
import { runByRights } from "../idempotency/run-by-rights.ts";

export async function runDelete(context: OperationContext, operation: DeleteOperation): Promise<NothingOutcome> {
  const { key, ifMatch, ifNoneMatch } = operation;
  const resource = resourceOf(context.engine.model, operation.resource);
  requireWrites(context, resource);
  const what = `delete this ${resource.name}`;
  const decision = await decide(context, resource.access.delete, resource);
  refuseNever(context, decision, what);
  const visible = await decide(context, resource.access.read, resource);
  refuseNever(context, visible, `read ${resource.plural}`);
  requirePrecondition(context, resource, operation);
  const where = andFilters(visible, decision);
  const { isOther } = await runByRights<null>(context, resource, operation.idempotency, async (inner, events) => {
    await deleteRow({ context: inner, operation, resource, events }, { key, where, ifMatch, ifNoneMatch, what });
    return { value: null };
  });
  // Whether the filter of the read rule matched the row can't be determined any more.
  if (isOther && !isAlways(visible)) throw notFound(resource);
  return { kind: "nothing", key };
}

export interface RowDeletion {
  readonly key: Key;
  readonly where: Filter | undefined;
  readonly ifMatch?: Precondition | undefined;
  readonly ifNoneMatch?: Precondition | undefined;
  /** Tokens of the keys that the same operation deletes. */
  readonly alsoDeleted?: ReadonlySet<string> | undefined;
  /** Completes "You are not allowed to …". */
  readonly what: string;
}

/** Deletes one row within a transaction, together with its dependents. Throws if it can't. */
export async function deleteRow(hooked: Hooked, deletion: RowDeletion): Promise<void> {
  const { context, resource, events } = hooked;
  const { key, ifMatch, ifNoneMatch, alsoDeleted, what } = deletion;
  const where = await storeFilter(context, resource, deletion.where);
  const store = context.storeOf(resource.name);
  const [row] = await store.byKeys({ resource, keys: [key], filter: where }, context.deadline);
  if (row === undefined) throw await refusalOfWrite(context, resource, key, "absent", what);
  if (await failsPrecondition(context, resource, row, ifMatch, ifNoneMatch)) throw stale(resource);
  await runHook(hooked, "delete", "before", { item: toItem(resource, row) });
  // All rows of one operation count toward the limit.
  const most = Math.max(0, context.engine.limits.query.cascade - events.length);
  const plan = await planDeletion(context, resource, key, row, { alsoDeleted, most });
  await context.engine.charge(context.caller, CASCADE_COST * (plan.cascaded.length + plan.emptied.length));
  await lockReferenced(context, { resource, key, row }, plan);
  // The row must be deleted in the version that was compared.
  const pinned = ifMatch === undefined || ifMatch === "*" ? ifMatch : [rowVersion(resource, row)];
  const result = await applyDeletion(context, row, { resource, key, where, ifMatch: pinned }, plan, events);
  if (result.kind !== "done") throw await refusalOfWrite(context, resource, key, result.kind, what);
  const { before } = result;
  events.push(deletedEvent(resource, key, result));
  await runHook(hooked, "delete", "after", { item: toItem(resource, before) });
}

/** Runs the hooks for a row that was deleted by the cascade of another row in the same operation. */
export async function deletedRow(hooked: Hooked, row: Row): Promise<void> {
  const facts = { item: toItem(hooked.resource, row) };
  await runHook(hooked, "delete", "before", facts);
  await runHook(hooked, "delete", "after", facts);
}
