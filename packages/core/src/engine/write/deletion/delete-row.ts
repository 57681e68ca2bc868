import { CASCADE_COST } from "../../../limits/cost.ts";
import type { Key, Row } from "../../../model/model.ts";
import type { Filter } from "../../../operation/filter.ts";
import type { Precondition } from "../../../operation/operation.ts";
import { rowVersion } from "../../../model/row-version.ts";
import { failsPrecondition } from "../../access/caller-version.ts";
import { storeFilter } from "../../read/rewrite-related.ts";
import { lockReferenced } from "./lock-referenced.ts";
import { planDeletion } from "./plan-deletion.ts";
import { stale } from "../../../operation/preconditions.ts";
import { refusalOfWrite } from "../checks/refuse-write.ts";
import { applyDeletion, deletedEvent } from "./apply-deletion.ts";
import { type Hooked, runHook, toItem } from "../run-hook.ts";

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
