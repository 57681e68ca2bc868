import { BifocalError } from "../../../errors/bifocal-error.ts";
import type { EventDraft } from "../../../events/change-event.ts";
import type { ResourceModel } from "../../../model/model.ts";
import type { Idempotency } from "../../../operation/operation.ts";
import { equalJson } from "../../../util/equal-json.ts";
import type { Store } from "../../../store/store.ts";
import type { Json } from "../../../util/json.ts";
import type { OperationContext } from "../../operation-context.ts";
import { transact } from "../transact.ts";

/** The part of a result that is stored, so that a replay can return it without running the operation again. */
export interface Done<T extends Json> {
  readonly value: T;
  /** The written row, on the first run. */
  readonly row?: unknown;
}

/**
 * Runs the steps of a write. An operation with `idempotency` leaves a receipt in the same transaction, so that a retry finds
 * the write done, whatever happens between the commit and the response. Authorize the caller before: a replay skips the
 * steps.
 */
export async function runIdempotently<T extends Json>(
  context: OperationContext,
  resource: ResourceModel,
  asked: Idempotency | undefined,
  work: (context: OperationContext, events: EventDraft[]) => Promise<Done<T>>,
): Promise<{ readonly value: Done<T>; readonly isReplay: boolean }> {
  const result = await runOnce(context, resource, asked, work);
  asked?.settle?.(result.value.value, result.isReplay);
  return result;
}

async function runOnce<T extends Json>(
  context: OperationContext,
  resource: ResourceModel,
  asked: Idempotency | undefined,
  work: (context: OperationContext, events: EventDraft[]) => Promise<Done<T>>,
): Promise<{ readonly value: Done<T>; readonly isReplay: boolean }> {
  if (asked?.receipt !== undefined) return { value: { value: asked.receipt as T }, isReplay: true };
  const keeps = context.storeOf(resource.name).capabilities.receipts === true;
  if (asked === undefined || !keeps) {
    return { value: await transact(context, resource.name, work), isReplay: false };
  }
  return transact(context, resource.name, async (inner, events) => {
    const store = inner.storeOf(resource.name);
    const receipt = await store.readReceipt?.(asked.token, inner.deadline);
    if (receipt !== undefined) {
      if (!equalJson(receipt.fingerprint, asked.fingerprint)) throw otherRequest();
      return { value: { value: receipt.value as T }, isReplay: true };
    }
    const done = await work(inner, events);
    const { token, fingerprint, expires } = asked;
    await store.writeReceipt?.({ token, fingerprint, expires, value: done.value }, inner.deadline);
    return { value: done, isReplay: false };
  });
}

/** Returns the receipt of an operation with `idempotency`, if it was done. */
export async function readReceipt(
  context: OperationContext,
  resource: string,
  asked: Idempotency | undefined,
): Promise<Json | undefined> {
  if (asked?.receipt !== undefined) return asked.receipt;
  const store = context.storeOf(resource);
  if (asked === undefined || store.capabilities.receipts !== true) return undefined;
  const receipt = await store.transaction(
    async (inner: Store) => inner.readReceipt?.(asked.token, context.deadline),
    context.deadline,
  );
  if (receipt !== undefined && !equalJson(receipt.fingerprint, asked.fingerprint)) throw otherRequest();
  return receipt?.value;
}

export function otherRequest(): BifocalError {
  return new BifocalError("VALIDATION_FAILED", "This idempotency key was used for a different request. Use a new key.");
}
