import { isBifocalError, type Issue } from "../../../errors/bifocal-error.ts";
import type { InputForm, Key, ResourceModel, Row } from "../../../model/model.ts";
import { keyOf } from "../../../operation/key.ts";
import { splitInput } from "../../../operation/nested-input.ts";
import type { CreateManyOperation } from "../../../operation/operation.ts";
import type { BatchOutcome } from "../../../operation/outcome.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { answerReplays } from "../idempotency/answer-replay.ts";
import { answerRows } from "../answer-row.ts";
import { type CheckedInput, checkInput, invalid } from "../checks/check-input.ts";
import { checkTrees, type Findings } from "../checks/check-tree.ts";
import { createAtOnce } from "../create/create-at-once.ts";
import { createRow } from "../create/create-row.ts";
import { decideFirst, type NewRow } from "../create/decide-first.ts";
import { createWhole } from "../create/create-tree.ts";
import { errorAt } from "../checks/error-at.ts";
import { readWithin, type Within } from "../checks/input-within.ts";
import { type LinkTargets, readLinkTargets } from "../nested/plan-links.ts";
import { needsRights, runCreateOnce } from "../idempotency/run-create-once.ts";
import { requireBulk, tooMany } from "./run-batch.ts";
import type { Hooked } from "../run-hook.ts";

type Create = (hooked: Hooked, targets: LinkTargets) => Promise<Row>;

/** Creates all rows or none. Errors include the index of the invalid item. */
export async function runCreateMany(context: OperationContext, operation: CreateManyOperation): Promise<BatchOutcome> {
  const { inputs, form, selection } = operation;
  const resource = resourceOf(context.engine.model, operation.resource);
  requireBulk(context, resource, "create");
  const most = resource.bulk.create;
  if (inputs.length === 0)
    throw invalid([{ path: [], message: "The list is empty. Send at least one item.", code: "too_small" }]);
  if (inputs.length > most) throw tooMany(`At most ${most} ${resource.plural} can be created in one request.`);
  const place = await readWithin(context, operation);
  const isNested = inputs.some((input) => splitInput(resource, "create", input).parts.length > 0);
  if (isNested) {
    const found = await prepareNested(context, resource, inputs, place, form);
    const creates = inputs.map(
      (input): Create =>
        (hooked, targets) =>
          createWhole({ ...hooked, form, targets }, input, place.decided),
    );
    return createEach(context, operation, resource, found, creates);
  }
  const checked = await prepare(context, resource, inputs, place, form);
  const { idempotency } = operation;
  const created = (await needsRights(context, operation))
    ? undefined
    : await createAtOnce(context, { resource, checked, idempotency, isBatch: true });
  if (created !== undefined) return answerRows(context, resource, created, selection);
  const creates = checked.map(
    (one): Create =>
      (hooked) =>
        createRow(hooked, one),
  );
  const rows = checked.map((one, index): NewRow => ({ resource, path: [index], ...one }));
  return createEach(context, operation, resource, { rows, links: [] }, creates);
}

/** Creates the rows one after the other in a transaction, once all of them are allowed. */
async function createEach(
  context: OperationContext,
  operation: CreateManyOperation,
  resource: ResourceModel,
  found: Pick<Findings, "rows" | "links">,
  creates: readonly Create[],
): Promise<BatchOutcome> {
  const { selection } = operation;
  const { keys, row, isReplay } = await runCreateOnce<Key[]>(context, resource, operation, async (inner, events) => {
    const targets = await readLinkTargets(inner, found.links);
    await decideFirst(inner, found.rows);
    const rows: Row[] = [];
    const hooked = { context: inner, operation, resource, events };
    for (const [index, create] of creates.entries()) {
      rows.push(
        await create(hooked, targets).catch((thrown: unknown) => {
          throw errorAt(thrown, [index]);
        }),
      );
    }
    return { value: rows.map((one) => keyOf(resource, one)), row: rows };
  });
  if (isReplay) return answerReplays(context, resource, keys, selection);
  return answerRows(context, resource, row as readonly Row[], selection);
}

/** Validates all inputs and throws all their issues. */
async function prepare(
  context: OperationContext,
  resource: ResourceModel,
  inputs: readonly unknown[],
  { decided, contradiction }: Within,
  form: InputForm,
): Promise<readonly CheckedInput[]> {
  const checked: CheckedInput[] = [];
  const issues: Issue[] = [];
  const rule = resource.access.create;
  const what = `create ${resource.plural}`;
  for (const [index, input] of inputs.entries()) {
    try {
      const said = contradiction(input);
      if (said.length > 0) throw invalid(said);
      const check = {
        resource,
        mode: "create",
        rule,
        input: splitInput(resource, "create", input).own,
        form,
        what,
      } as const;
      const checking = checkInput(context, decided === undefined ? check : { ...check, decided });
      checked.push(checking instanceof Promise ? await checking : checking);
    } catch (thrown) {
      const error = errorAt(thrown, [index]);
      if (!isBifocalError(error) || error.code !== "VALIDATION_FAILED") throw error;
      issues.push(...error.issues);
    }
  }
  if (issues.length > 0) throw invalid(issues);
  return checked;
}

/** Does the same if inputs contain nested rows. */
async function prepareNested(
  context: OperationContext,
  resource: ResourceModel,
  inputs: readonly unknown[],
  { decided, contradiction }: Within,
  form: InputForm,
): Promise<Findings> {
  const issues: Issue[] = [];
  let found: Findings = { issues, rows: [], links: [] };
  for (const [index, input] of inputs.entries()) {
    for (const issue of contradiction(input)) issues.push({ ...issue, path: [index, ...issue.path] });
  }
  try {
    const placed = inputs.map((input, index) => ({ input, path: [index] }));
    found = await checkTrees(context, resource, placed, form, decided);
  } catch (thrown) {
    if (!isBifocalError(thrown) || thrown.code !== "VALIDATION_FAILED") throw thrown;
    issues.push(...thrown.issues);
  }
  if (issues.length > 0) throw invalid(issues);
  return found;
}
