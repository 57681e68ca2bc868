import { BifocalError } from "../../errors/bifocal-error.ts";
import type { EventDraft } from "../../events/change-event.ts";
import type { ResourceModel } from "../../model/model.ts";
import type { Once } from "../../operation/operation.ts";
import { equalJson } from "../../util/equal-json.ts";
import type { Store } from "../../store/store.ts";
import type { Json } from "../../util/json.ts";
import type { Frame } from "../frame.ts";
import { transact } from "./transact.ts";

/** What an operation leaves behind, so that it can be answered again without being done again. */
export interface Done<T extends Json> {
  readonly value: T;
  /** The row that was written, the first time. */
  readonly row?: unknown;
}

/**
 * Runs the steps of a write, and, where the operation is to be done once only, keeps a receipt in the same transaction:
 * whatever happens between the commit and the answer, a second time finds the first one done.
 */
export async function once<T extends Json>(
  frame: Frame,
  resource: ResourceModel,
  asked: Once | undefined,
  work: (frame: Frame, events: EventDraft[]) => Promise<Done<T>>,
): Promise<{ readonly value: Done<T>; readonly isReplay: boolean }> {
  const keeps = frame.storeOf(resource.name).capabilities.receipts === true;
  if (asked === undefined || !keeps) {
    return { value: await transact(frame, resource.name, work), isReplay: false };
  }
  return transact(frame, resource.name, async (inner, events) => {
    const store = inner.storeOf(resource.name);
    const receipt = await store.readReceipt?.(asked.token, inner.context);
    if (receipt !== undefined) {
      if (!equalJson(receipt.fingerprint, asked.fingerprint)) throw otherRequest();
      return { value: { value: receipt.value as T }, isReplay: true };
    }
    const done = await work(inner, events);
    const { token, fingerprint, expires } = asked;
    await store.writeReceipt?.({ token, fingerprint, expires, value: done.value }, inner.context);
    return { value: done, isReplay: false };
  });
}

/** Whether an operation that is to be done once only has left its receipt. */
export async function isDone(frame: Frame, resource: string, asked: Once | undefined): Promise<boolean> {
  const store = frame.storeOf(resource);
  if (asked === undefined || store.capabilities.receipts !== true) return false;
  const read = async (inner: Store): Promise<boolean> =>
    (await inner.readReceipt?.(asked.token, frame.context)) !== undefined;
  return store.transaction(read, frame.context);
}

export function otherRequest(): BifocalError {
  return new BifocalError("VALIDATION_FAILED", "This idempotency key was used for another request. Take a new one.");
}
