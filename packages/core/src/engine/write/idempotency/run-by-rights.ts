import { rightsOf } from "../../../definition/principal.ts";
import type { EventDraft } from "../../../events/change-event.ts";
import type { Key, ResourceModel } from "../../../model/model.ts";
import type { Idempotency } from "../../../operation/operation.ts";
import type { Json } from "../../../util/json.ts";
import type { OperationContext } from "../../operation-context.ts";
import { type Done, runIdempotently } from "./run-idempotently.ts";

/** The receipt of a write by key. `created` is true if it created the row. */
export type PutReceipt = { readonly key: Key; readonly created: boolean };

/** The receipt of a write to existing rows, with the rights of its caller. */
export type RightsReceipt<T extends Json> = { readonly value: T; readonly rights: string };

/** The way an operation with `idempotency` was run. */
export interface RunByRights<T extends Json> extends Done<T> {
  readonly isReplay: boolean;
  /** Whether the caller's rights differ from those of the first run. Rows that it can't see are then NOT_FOUND. */
  readonly isOther: boolean;
}

/** Does the same as `runIdempotently`, and compares the rights of the caller with those of the first run. */
export async function runByRights<T extends Json>(
  context: OperationContext,
  resource: ResourceModel,
  asked: Idempotency | undefined,
  work: (context: OperationContext, events: EventDraft[]) => Promise<Done<T>>,
): Promise<RunByRights<T>> {
  const rights = asked === undefined ? "" : rightsText(context, resource);
  const { value: done, isReplay } = await runIdempotently<RightsReceipt<T>>(
    context,
    resource,
    asked,
    async (inner, events) => {
      const { value, row } = await work(inner, events);
      return { value: { value, rights }, row };
    },
  );
  return { value: done.value.value, row: done.row, isReplay, isOther: done.value.rights !== rights };
}

/** Returns the rights of the caller. They include its tenant, which it can change between a call and its replay. */
export function rightsText({ caller, scope }: OperationContext, resource: ResourceModel): string {
  const tenant = resource.tenant === undefined ? "" : JSON.stringify(scope?.tenants.reachOf(resource));
  return rightsOf(caller.principal) + tenant;
}

/** Keys, which are the receipts of other creates, are never plain objects. */
export function isRightsReceipt<T extends Json>(receipt: T | RightsReceipt<T>): receipt is RightsReceipt<T> {
  return typeof receipt === "object" && receipt !== null && "rights" in receipt;
}
