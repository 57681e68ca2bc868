import { andFilters } from "../../../operation/filter.ts";
import type { DeleteOperation } from "../../../operation/operation.ts";
import type { NothingOutcome } from "../../../operation/outcome.ts";
import { decide, refuseNever } from "../../access/decide.ts";
import { type OperationContext, resourceOf } from "../../operation-context.ts";
import { requireWrites } from "../checks/check-input.ts";
import { runIdempotently } from "../idempotency/run-idempotently.ts";
import { requirePrecondition } from "../checks/refuse-write.ts";
import { deleteRow } from "./delete-row.ts";

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
  await runIdempotently<null>(context, resource, operation.idempotency, async (inner, events) => {
    await deleteRow({ context: inner, operation, resource, events }, { key, where, ifMatch, ifNoneMatch, what });
    return { value: null };
  });
  return { kind: "nothing", key };
}
