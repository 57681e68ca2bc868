import type { PresetFields, Key, ResourceModel, Row } from "../../../model/model.ts";
import { keyOf } from "../../../operation/key.ts";
import { splitInput } from "../../../operation/nested-input.ts";
import type { CreateOperation } from "../../../operation/operation.ts";
import type { ItemOutcome, NothingOutcome } from "../../../operation/outcome.ts";
import type { MaybePromise } from "../../../util/maybe-promise.ts";
import { isAlways } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { answerReplay } from "../idempotency/answer-replay.ts";
import { answerRow } from "../answer-row.ts";
import { buildRow } from "./build-row.ts";
import { createAtOnce } from "./create-at-once.ts";
import { createOnlyRow, insertRow } from "./create-row.ts";
import { type CheckedInput, checkInput, type InputCheck, invalid } from "../checks/check-input.ts";
import { holdAtOnce } from "../checks/check-references.ts";
import { checkTrees } from "../checks/check-tree.ts";
import { decideFirst } from "./decide-first.ts";
import { createWhole } from "./create-tree.ts";
import { readLinkTargets } from "../nested/plan-links.ts";
import { readWithin } from "../checks/input-within.ts";
import { needsRights, runCreateOnce } from "../idempotency/run-create-once.ts";
import type { Hooked } from "../run-hook.ts";
import { publish } from "../transact.ts";

type Created = ItemOutcome | NothingOutcome;

export function runCreate(context: OperationContext, operation: CreateOperation): MaybePromise<Created> {
  const resource = resourceOf(context.engine.model, operation.resource);
  if (operation.within === undefined) return createOne(context, operation, resource, undefined);
  return readWithin(context, operation).then(({ decided, contradiction }) => {
    const issues = contradiction(operation.input);
    if (issues.length > 0) throw invalid(issues);
    return createOne(context, operation, resource, decided);
  });
}

function createOne(
  context: OperationContext,
  operation: CreateOperation,
  resource: ResourceModel,
  decided: PresetFields | undefined,
): MaybePromise<Created> {
  const { form } = operation;
  let { input } = operation;
  if (resource.nested.create.length > 0) {
    const { own, parts } = splitInput(resource, "create", input);
    if (parts.length > 0) return createNested(context, operation, resource, decided);
    input = own;
  }
  const what = `create ${resource.plural}`;
  const rule = resource.access.create;
  const check: InputCheck = { resource, mode: "create", rule, input, form, what };
  const checked = checkInput(context, decided === undefined ? check : { ...check, decided });
  if (checked instanceof Promise) return createLater(context, operation, resource, checked);
  return createChecked(context, operation, resource, checked);
}

// Steps that wait are functions of their own: the closures of a callback would cost memory even if nothing waits.

async function createLater(
  context: OperationContext,
  operation: CreateOperation,
  resource: ResourceModel,
  checking: Promise<CheckedInput>,
): Promise<Created> {
  return createChecked(context, operation, resource, await checking);
}

/** Creates a row from a valid and allowed input. */
function createChecked(
  context: OperationContext,
  operation: CreateOperation,
  resource: ResourceModel,
  checked: CheckedInput,
): MaybePromise<Created> {
  const isAlone =
    operation.idempotency === undefined &&
    resource.history === undefined &&
    !context.engine.changes.isKept(resource.name);
  const simple = isAlone ? simpleRow(context, resource, checked) : undefined;
  if (simple === undefined) return createInSteps(context, operation, resource, checked);
  const after = insertRow(context, resource, simple);
  if (after instanceof Promise) return answerLater(context, operation, resource, after);
  const published = publishCreated(context, resource, after);
  if (published instanceof Promise) return answerLater(context, operation, resource, after, published);
  return answerRow(context, resource, after, operation.selection);
}

async function createInSteps(
  context: OperationContext,
  operation: CreateOperation,
  resource: ResourceModel,
  checked: CheckedInput,
): Promise<Created> {
  const { idempotency, selection } = operation;
  const isInSteps = operation.within !== undefined && (await needsRights(context, operation));
  const rows = isInSteps
    ? undefined
    : await createAtOnce(context, { resource, checked: [checked], idempotency, isBatch: false });
  const [row] = rows ?? [];
  if (row !== undefined) return answerRow(context, resource, row, selection);
  return createOnce(context, operation, resource, (hooked) => createOnlyRow(hooked, checked));
}

async function answerLater(
  context: OperationContext,
  { selection }: CreateOperation,
  resource: ResourceModel,
  inserting: MaybePromise<Row>,
  publishing?: Promise<void>,
): Promise<Created> {
  const after = await inserting;
  await (publishing ?? publishCreated(context, resource, after));
  return answerRow(context, resource, after, selection);
}

function publishCreated(context: OperationContext, resource: ResourceModel, after: Row): MaybePromise<void> {
  return publish(context, [{ resource: resource.name, kind: "created", key: keyOf(resource, after), after }]);
}

/** Creates a row and its nested rows, all or none. */
async function createNested(
  context: OperationContext,
  operation: CreateOperation,
  resource: ResourceModel,
  decided: PresetFields | undefined,
): Promise<Created> {
  const { input, form } = operation;
  const { rows, links } = await checkTrees(context, resource, [{ input, path: [] }], form, decided);
  return createOnce(context, operation, resource, async (hooked) => {
    const targets = await readLinkTargets(hooked.context, links);
    await decideFirst(hooked.context, rows);
    return createWhole({ ...hooked, form, targets }, input, decided);
  });
}

/** Creates a row in a transaction, and only once if the operation has `idempotency`. */
async function createOnce(
  context: OperationContext,
  operation: CreateOperation,
  resource: ResourceModel,
  create: (hooked: Hooked) => Promise<Row>,
): Promise<Created> {
  const { selection } = operation;
  const { keys, row, isReplay } = await runCreateOnce<Key>(context, resource, operation, async (inner, events) => {
    const after = await create({ context: inner, operation, resource, events });
    return { value: keyOf(resource, after), row: after };
  });
  if (isReplay) return answerReplay(context, resource, keys, selection);
  return answerRow(context, resource, row as Row, selection);
}

/** Returns the row if a single insert creates it, with no check inside the transaction. */
function simpleRow(
  context: OperationContext,
  resource: ResourceModel,
  { row, decision }: CheckedInput,
): Row | undefined {
  if (!isAlways(decision) || resource.hooks.create !== undefined) return undefined;
  const built = buildRow(context, resource, row);
  return holdAtOnce(context, resource, built) ? built : undefined;
}
