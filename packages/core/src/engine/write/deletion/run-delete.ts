import { andFilters } from "../../../operation/filter.ts";
import type { DeleteOperation } from "../../../operation/operation.ts";
import type { NothingOutcome } from "../../../operation/outcome.ts";
import { decide, refuseNever } from "../../access/decide.ts";
import { type OperationContext, resourceOf } from "../../operation-context.ts";
import { requireWrites } from "../checks/check-input.ts";
import { runIdempotently } from "../idempotency/run-idempotently.ts";
import { requirePrecondition } from "../checks/refuse-write.ts";
import { deleteRow } from "./delete-row.ts";

export async function runDelete(frame: OperationContext, operation: DeleteOperation): Promise<NothingOutcome> {
  const { key, ifMatch, ifNoneMatch } = operation;
  const resource = resourceOf(frame.engine.model, operation.resource);
  requireWrites(frame, resource);
  const what = `delete this ${resource.name}`;
  const decision = await decide(frame, resource.access.delete, resource);
  refuseNever(frame, decision, what);
  const visible = await decide(frame, resource.access.read, resource);
  refuseNever(frame, visible, `read ${resource.plural}`);
  requirePrecondition(frame, resource, operation);
  const where = andFilters(visible, decision);
  await runIdempotently<null>(frame, resource, operation.idempotency, async (inner, events) => {
    await deleteRow({ frame: inner, operation, resource, events }, { key, where, ifMatch, ifNoneMatch, what });
    return { value: null };
  });
  return { kind: "nothing", key };
}
