import type { Issue } from "../../../errors/bifocal-error.ts";
import type { FieldModel, Key, ResourceModel, Row } from "../../../model/model.ts";
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
import { takes } from "../../../model/parse/input-parser.ts";

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
  if (receipt?.created === false) return runUpdate(context, operation);
  const before = receipt === undefined ? await visibleRow(context, resource, key) : undefined;
  if (before !== undefined) return runUpdate(context, operation);
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
    return runUpdate(context, operation);
  }
}

async function visibleRow(context: OperationContext, resource: ResourceModel, key: Key): Promise<Row | undefined> {
  if (isNever(await decide(context, resource.access.read, resource))) return undefined;
  return readVisible(context, resource, key);
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
