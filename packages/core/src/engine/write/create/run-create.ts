import type { PresetFields, Key, ResourceModel, Row } from "../../../model/model.ts";
import { keyOf } from "../../../operation/key.ts";
import { splitInput } from "../../../operation/nested-input.ts";
import type { CreateOperation } from "../../../operation/operation.ts";
import type { ItemOutcome, NothingOutcome } from "../../../operation/outcome.ts";
import { type MaybePromise, mapMaybePromise } from "../../../util/maybe-promise.ts";
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
import { runIdempotently } from "../idempotency/run-idempotently.ts";
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
  const { form, selection } = operation;
  let { input } = operation;
  if (resource.nested.create.length > 0) {
    const { own, parts } = splitInput(resource, "create", input);
    if (parts.length > 0) return createNested(context, operation, resource, decided);
    input = own;
  }
  const what = `create ${resource.plural}`;
  const rule = resource.access.create;
  const check: InputCheck = { resource, mode: "create", rule, input, form, what };
  return mapMaybePromise(checkInput(context, decided === undefined ? check : { ...check, decided }), (checked) => {
    const { idempotency } = operation;
    const isAlone =
      idempotency === undefined && resource.history === undefined && !context.engine.changes.isKept(resource.name);
    const simple = isAlone ? simpleRow(context, resource, checked) : undefined;
    if (simple === undefined) {
      return createAtOnce(context, { resource, checked: [checked], idempotency, isBatch: false }).then((rows) => {
        const [row] = rows ?? [];
        if (row !== undefined) return answerRow(context, resource, row, selection);
        return createOnce(context, operation, resource, (hooked) => createOnlyRow(hooked, checked));
      });
    }
    return mapMaybePromise(insertRow(context, resource, simple), (after) => {
      const created = { resource: resource.name, kind: "created", key: keyOf(resource, after), after } as const;
      return mapMaybePromise(publish(context, [created]), () => answerRow(context, resource, after, selection));
    });
  });
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
  const { value, isReplay } = await runIdempotently<Key>(
    context,
    resource,
    operation.idempotency,
    async (inner, events) => {
      const after = await create({ context: inner, operation, resource, events });
      return { value: keyOf(resource, after), row: after };
    },
  );
  if (isReplay) return answerReplay(context, resource, value.value, selection);
  return answerRow(context, resource, value.row as Row, selection);
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
