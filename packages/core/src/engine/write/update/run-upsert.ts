import type { Key, ResourceModel, Row } from "../../../model/model.ts";
import { keyOf } from "../../../operation/key.ts";
import type { ReplaceOperation } from "../../../operation/operation.ts";
import type { ItemOutcome, NothingOutcome } from "../../../operation/outcome.ts";
import { decide, isNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { isStoreConflict } from "../../../errors/store-conflict.ts";
import { readVisible } from "../../run-get.ts";
import { answerReplay } from "../idempotency/answer-replay.ts";
import { answerRow } from "../answer-row.ts";
import { createOnlyRow } from "../create/create-row.ts";
import { stale } from "../../../operation/preconditions.ts";
import { type PutReceipt, type RightsReceipt, runByRights } from "../idempotency/run-by-rights.ts";
import { readReceipt } from "../idempotency/run-idempotently.ts";
import { requirePrecondition } from "../checks/refuse-write.ts";
import { applyLinks } from "../nested/apply-links.ts";
import { readLinkTargets } from "../nested/plan-links.ts";
import { checkNew } from "./check-new.ts";
import { runUpdate } from "./run-update.ts";

/**
 * Runs a replace operation that creates the row if the caller sees none (RFC 9110 §9.3.4), under the rules of a create.
 * If a hidden row has the key, the insert fails like that of any create and reveals no more.
 */
export async function runUpsert(
  context: OperationContext,
  operation: ReplaceOperation,
): Promise<ItemOutcome | NothingOutcome> {
  const { key, ifMatch, ifNoneMatch, selection } = operation;
  const resource = resourceOf(context.engine.model, operation.resource);
  const receipt = (await readReceipt(context, resource.name, operation.idempotency)) as
    | RightsReceipt<PutReceipt>
    | undefined;
  // A replay needs the rights for the operation that was done. Its input was already accepted.
  if (receipt?.value.created === false) return runUpdate(context, operation);
  const before = receipt === undefined ? await visibleRow(context, resource, key) : undefined;
  if (before !== undefined) return runUpdate(context, operation);
  const { checked, links } = await checkNew(context, resource, operation);
  requirePrecondition(context, resource, operation);
  // A missing row has no version that could match.
  if (ifMatch !== undefined) throw stale(resource);
  try {
    const { value, row, isReplay } = await runByRights<PutReceipt>(
      context,
      resource,
      operation.idempotency,
      async (inner, events) => {
        const targets = await readLinkTargets(inner, links);
        const hooked = { context: inner, operation, resource, events };
        const row = await createOnlyRow(hooked, checked);
        for (const plan of links) await applyLinks(hooked, plan, row, targets);
        const after = links.length === 0 ? row : await readAgain(inner, resource, row);
        return { value: { key: keyOf(resource, after), created: true }, row: after };
      },
    );
    const { key: written, created } = value;
    if (isReplay) return await answerReplay(context, resource, written, selection, { created });
    return await answerRow(context, resource, row as Row, selection, true);
  } catch (thrown) {
    // A concurrent request created the row.
    const now = isStoreConflict(thrown) ? await visibleRow(context, resource, key) : undefined;
    if (now === undefined) throw thrown;
    if (ifNoneMatch !== undefined) throw stale(resource);
    return runUpdate(context, operation);
  }
}

/** Hooks of the links may have changed the row. */
async function readAgain(context: OperationContext, resource: ResourceModel, row: Row): Promise<Row> {
  const keys = [keyOf(resource, row)];
  const [now] = await context.storeOf(resource.name).byKeys({ resource, keys }, context.deadline);
  return now ?? row;
}

async function visibleRow(context: OperationContext, resource: ResourceModel, key: Key): Promise<Row | undefined> {
  if (isNever(await decide(context, resource.access.read, resource))) return undefined;
  return readVisible(context, resource, key);
}
