import type { ResourceModel, Row } from "../../../model/model.ts";
import { notFound } from "../../../lowering/not-found.ts";
import { andFilters } from "../../../operation/filter.ts";
import { keyOf } from "../../../operation/key.ts";
import { checkNesting, type SplitInput } from "../../../operation/nested-input.ts";
import type { ItemOutcome, NothingOutcome } from "../../../operation/outcome.ts";
import { stale } from "../../../operation/preconditions.ts";
import { failsPrecondition } from "../../access/caller-version.ts";
import { decide } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { readVisible } from "../../run-get.ts";
import { answerRow } from "../answer-row.ts";
import { invalid } from "../checks/check-input.ts";
import type { Findings } from "../checks/check-tree.ts";
import { requirePrecondition } from "../checks/refuse-write.ts";
import { decideFirst } from "../create/decide-first.ts";
import { answerReplay } from "../idempotency/answer-replay.ts";
import { type PutReceipt, runByRights } from "../idempotency/run-by-rights.ts";
import { type RowWriteOperation, checkChange, refuseInput, versionsOf } from "../update/check-change.ts";
import { updateRow } from "../update/update-row.ts";
import { applyParts } from "./apply-parts.ts";
import { checkParts, collectIssues, type PartPlan } from "./check-parts.ts";
import { readLinkTargets } from "./plan-links.ts";
import { prepareParts } from "./prepare-parts.ts";

/** Whether a `before` hook runs for the row, its links, or the related rows that are updated and deleted. */
function hasBeforeHook({ hooks }: ResourceModel, plans: readonly PartPlan[]): boolean {
  if (hooks.update?.before !== undefined) return true;
  return plans.some((plan) => {
    if (plan.kind === "links") return hooks.link?.before !== undefined;
    const { target } = plan;
    if (plan.delete.length > 0 && target.hooks.delete?.before !== undefined) return true;
    return plan.update.some(({ parts }) => hasBeforeHook(target, parts));
  });
}

/** Changes a row together with its links and related rows, all or nothing. */
export async function runNestedUpdate(
  context: OperationContext,
  resource: ResourceModel,
  operation: RowWriteOperation,
  { own, parts }: SplitInput,
): Promise<ItemOutcome | NothingOutcome> {
  const { kind, key, ifNoneMatch, form, idempotency, selection } = operation;
  const { model, limits } = context.engine;
  checkNesting(model, resource, kind, operation.input, limits.query.selectionDepth);
  const what = `${kind} this ${resource.name}`;
  const found: Findings = { issues: [], rows: [], links: [] };
  const change: RowWriteOperation = { ...operation, input: own };
  const checked = await collectIssues(found, [], async () => checkChange(context, resource, change, what));
  const plans = await checkParts(context, parts, { form, idempotency }, [], found);
  if (found.issues.length > 0 || checked === undefined) {
    return refuseInput(context, resource, operation, invalid(found.issues));
  }
  const visible = await decide(context, resource.access.read, resource);
  requirePrecondition(context, resource, operation);
  const ifMatch = versionsOf(operation);
  const { row: written, decision, byFields } = checked;
  const where = andFilters(visible, decision);
  const update = { key, written, where, check: decision, byFields, ifMatch, ifNoneMatch, what };
  const { value, row, isReplay, isOther } = await runByRights<PutReceipt>(
    context,
    resource,
    idempotency,
    async (inner, events) => {
      const before = await readVisible(inner, resource, key);
      if (before === undefined) throw notFound(resource);
      if (await failsPrecondition(inner, resource, before, ifMatch, ifNoneMatch)) throw stale(resource);
      await prepareParts(inner, before, plans);
      const targets = await readLinkTargets(inner, found.links);
      await decideFirst(inner, found.rows, hasBeforeHook(resource, plans));
      const tree = { context: inner, operation, resource, events, form, targets };
      const after = await updateRow(tree, update);
      await applyParts(tree, after, plans);
      const [row] = await inner
        .storeOf(resource.name)
        .byKeys({ resource, keys: [keyOf(resource, after)] }, inner.deadline);
      return { value: { key: keyOf(resource, after), created: false }, row: row ?? after };
    },
  );
  if (isReplay) return answerReplay(context, resource, value.key, selection, { isOther });
  return answerRow(context, resource, row as Row, selection);
}
