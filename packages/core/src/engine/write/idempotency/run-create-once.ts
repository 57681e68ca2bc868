import type { EventDraft } from "../../../events/change-event.ts";
import type { Key, ResourceModel } from "../../../model/model.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import type { CreateManyOperation, CreateOperation } from "../../../operation/operation.ts";
import { decide, isAlways } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { isRightsReceipt, type RightsReceipt, rightsText } from "./run-by-rights.ts";
import { type Done, runIdempotently } from "./run-idempotently.ts";

type Created = CreateOperation | CreateManyOperation;

/** The result of a create: the key or keys of its rows, and the rows themselves on the first run. */
interface CreatedOnce<T> {
  readonly keys: T;
  readonly row: unknown;
  readonly isReplay: boolean;
}

/** Runs the steps of a create. If it is within a parent, the receipt includes the rights of the caller. */
export async function runCreateOnce<T extends Key | readonly Key[]>(
  context: OperationContext,
  resource: ResourceModel,
  { idempotency, within }: Created,
  create: (context: OperationContext, events: EventDraft[]) => Promise<Done<T>>,
): Promise<CreatedOnce<T>> {
  const rights = idempotency === undefined || within === undefined ? undefined : rightsText(context, resource);
  const { value: done, isReplay } = await runIdempotently<T | RightsReceipt<T>>(
    context,
    resource,
    idempotency,
    async (inner, events) => {
      const { value, row } = await create(inner, events);
      return { value: rights === undefined ? value : { value, rights }, row };
    },
  );
  const { value, row } = done;
  return { keys: isRightsReceipt(value) ? value.value : value, row, isReplay };
}

/**
 * Returns whether the receipt of a create needs the rights of the caller, because its parent is hidden from some callers.
 * It doesn't if the caller can read all parents, because a caller who can't see the parent has other rights then.
 */
export async function needsRights(context: OperationContext, { idempotency, within }: Created): Promise<boolean> {
  if (idempotency === undefined || within === undefined) return false;
  const parent = resourceOf(context.engine.model, within.resource);
  return !isAlways(await decide(context, parent.access.read, parent));
}
