import type { Issue } from "../../../errors/bifocal-error.ts";
import type { FieldModel, Key, ResourceModel, Row, InputForm } from "../../../model/model.ts";
import { keyOf } from "../../../operation/key.ts";
import type { ReplaceOperation } from "../../../operation/operation.ts";
import type { ItemOutcome, NothingOutcome } from "../../../operation/outcome.ts";
import type { Json } from "../../../util/json.ts";
import { decide, isNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { isStoreConflict } from "../../../errors/store-conflict.ts";
import { readVisible } from "../../run-get.ts";
import { answerReplay } from "../idempotency/answer-replay.ts";
import { answerRow } from "../answer-row.ts";
import { type CheckedInput, checkInput, invalid } from "../checks/check-input.ts";
import { createOnlyRow } from "../create/create-row.ts";
import { stale } from "../../../operation/preconditions.ts";
import { runIdempotently, type PutReceipt, readReceipt } from "../idempotency/run-idempotently.ts";
import { requirePrecondition } from "../checks/refuse-write.ts";
import { runUpdate } from "./run-update.ts";
import { keyParts, keyValue } from "../create/with-key.ts";
import { coerceWire } from "../../../model/coerce.ts";
import { isWritable, takes } from "../../../model/parse/input-parser.ts";
import { equalJson } from "../../../util/equal-json.ts";

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
  const receipt = (await readReceipt(context, resource.name, operation.idempotency)) as PutReceipt | undefined;
  // A replay needs the rights for the operation that was done. Its input was already accepted.
  if (receipt?.created === false) return replace(context, resource, operation, operation.input as Row);
  const before = receipt === undefined ? await visibleRow(context, resource, key) : undefined;
  if (before !== undefined) return replace(context, resource, operation, before);
  const checked = await checkNew(context, resource, operation);
  requirePrecondition(context, resource, operation);
  // A missing row has no version that could match.
  if (ifMatch !== undefined) throw stale(resource);
  try {
    const { value, isReplay } = await runIdempotently<PutReceipt>(
      context,
      resource,
      operation.idempotency,
      async (inner, events) => {
        const after = await createOnlyRow({ context: inner, operation, resource, events }, checked);
        return { value: { key: keyOf(resource, after), created: true }, row: after };
      },
    );
    const { key: written, created } = value.value;
    if (isReplay) return await answerReplay(context, resource, written, selection, created);
    return await answerRow(context, resource, value.row as Row, selection, true);
  } catch (thrown) {
    // A concurrent request created the row.
    const now = isStoreConflict(thrown) ? await visibleRow(context, resource, key) : undefined;
    if (now === undefined) throw thrown;
    if (ifNoneMatch !== undefined) throw stale(resource);
    return replace(context, resource, operation, now);
  }
}

async function visibleRow(context: OperationContext, resource: ResourceModel, key: Key): Promise<Row | undefined> {
  if (isNever(await decide(context, resource.access.read, resource))) return undefined;
  return readVisible(context, resource, key);
}

async function replace(
  context: OperationContext,
  resource: ResourceModel,
  operation: ReplaceOperation,
  row: Row,
): Promise<ItemOutcome | NothingOutcome> {
  const { input, form } = operation;
  return runUpdate(context, { ...operation, input: withoutUnchanged(resource, row, input, form) });
}

/** Validates the input of a new row, with the key of the URL. */
async function checkNew(
  context: OperationContext,
  resource: ResourceModel,
  { key, input, form }: ReplaceOperation,
): Promise<CheckedInput> {
  const parts = keyParts(resource, key);
  const issues: Issue[] = [];
  const generated: Record<string, Json> = {};
  const given: Record<string, unknown> = typeof input === "object" && input !== null ? { ...input } : {};
  for (const [name, part] of parts) {
    const field = resource.fields.get(name) as FieldModel;
    if (!field.writable) {
      generated[name] = part;
      for (const { message, code } of field.schema.safeParse(keyValue(field, part, "value")).error?.issues ?? []) {
        issues.push({ path: [name], message, code });
      }
    } else if (given[name] === undefined) given[name] = keyValue(field, part, form);
  }
  for (const field of resource.visibleFields) {
    if (!takes(resource, field, "create") || field.filledByHook || given[field.name] !== undefined) continue;
    const message = `'${field.name}' is required. A replacement must include every field.`;
    issues.push({ path: [field.name], message, code: "required" });
  }
  const what = `create ${resource.plural}`;
  const rule = resource.access.create;
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  const checked = await checkInput(context, {
    resource,
    mode: "create",
    rule,
    input: isObject ? given : input,
    form,
    what,
  });
  if (issues.length > 0) throw invalid(issues);
  const row: Row = { ...checked.row, ...generated };
  const other = parts.find(([name, part]) => row[name] !== part)?.[0];
  if (other !== undefined) {
    const message = `'${other}' differs from the id in the URL.`;
    throw invalid([{ path: [other], message, code: "contradiction" }]);
  }
  return { ...checked, row };
}

/**
 * Removes immutable fields with unchanged values from an input that replaces an existing row. The input may contain
 * them because it could also create the row, and repeating it must have the same effect (RFC 9110 §9.2.2). Fields with
 * a read rule are kept, so that the result doesn't reveal their values.
 */
function withoutUnchanged(resource: ResourceModel, row: Row, input: unknown, form: InputForm): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const given: Record<string, unknown> = { ...input };
  for (const field of resource.fields.values()) {
    const value = given[field.name];
    if (value === undefined || isWritable(field, "replace") || !isWritable(field, "create")) continue;
    if (!resource.ruledFields.includes(field) && isSame(field, value, row[field.name] ?? null, form)) {
      delete given[field.name];
    }
  }
  return given;
}

function isSame({ type, codec }: FieldModel, value: unknown, stored: Json, form: InputForm): boolean {
  if (value === null || stored === null) return value === stored;
  try {
    return equalJson(form === "value" && codec !== undefined ? codec.toStored(value) : coerceWire(type, value), stored);
  } catch {
    return false;
  }
}
