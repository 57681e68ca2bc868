import type { Key, ResourceModel, Row } from "../../model/model.ts";
import { keyOf } from "../../operation/key.ts";
import type { CreateOperation } from "../../operation/operation.ts";
import type { ItemOutcome, NothingOutcome } from "../../operation/outcome.ts";
import { isAlways } from "../access/decide.ts";
import { type Frame, resourceOf } from "../frame.ts";
import { answerRow } from "./answer-row.ts";
import { buildRow } from "./build-row.ts";
import { type CheckedInput, checkInput } from "./check-input.ts";
import { setReferences } from "./check-references.ts";
import { createRow, insertRow } from "./create-row.ts";
import { inputWithin } from "./input-within.ts";
import { once } from "./once.ts";
import { hasHook } from "./run-hook.ts";
import { publish } from "./transact.ts";

export async function runCreate(frame: Frame, operation: CreateOperation): Promise<ItemOutcome | NothingOutcome> {
  const { form, selection } = operation;
  const resource = resourceOf(frame.engine.model, operation.resource);
  const complete = await inputWithin(frame, resource, operation.within, form);
  const input = complete(operation.input);
  const what = `create ${resource.plural}`;
  const checked = await checkInput(frame, {
    resource,
    mode: "create",
    rule: resource.access.create,
    input,
    form,
    what,
  });
  const simple = operation.once === undefined ? simpleRow(resource, checked) : undefined;
  if (simple !== undefined) {
    const after = await insertRow(frame, resource, simple);
    await publish(frame, [{ resource: resource.name, kind: "created", key: keyOf(resource, after), after }]);
    return answerRow(frame, resource, after, selection);
  }
  const { value, isReplay } = await once<Key>(frame, resource, operation.once, async (inner, events) => {
    const after = await createRow({ frame: inner, operation, resource, events }, checked);
    return { value: keyOf(resource, after), row: after };
  });
  if (!isReplay) return answerRow(frame, resource, value.row as Row, selection);
  const [row] = await frame.storeOf(resource.name).byKeys({ resource, keys: [value.value] }, frame.context);
  // It was made, and has gone since.
  return row === undefined ? { kind: "nothing", key: value.value } : answerRow(frame, resource, row, selection);
}

/** A row that one insert makes: nothing has to be looked at in the same transaction. */
function simpleRow(resource: ResourceModel, { row, decision }: CheckedInput): Row | undefined {
  if (!isAlways(decision) || hasHook(resource, "create")) return undefined;
  const built = buildRow(resource, row);
  return setReferences(resource, built).length === 0 ? built : undefined;
}
