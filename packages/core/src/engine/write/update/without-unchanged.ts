import { coerceWire } from "../../../model/coerce.ts";
import { fieldOf } from "../../../model/field-of.ts";
import type { FieldModel, InputForm, ResourceModel } from "../../../model/model.ts";
import { isDenied, isWritable } from "../../../model/parse/input-parser.ts";
import type { RowWriter } from "../../../operation/visible-rows.ts";
import { equalJson } from "../../../util/equal-json.ts";
import type { Json } from "../../../util/json.ts";
import type { OperationContext } from "../../operation-context.ts";
import { planSelection } from "../../read/plan-selection.ts";
import { readLevel } from "../../read/read-level.ts";
import { readVisible } from "../../run-get.ts";
import type { RowWriteOperation } from "./check-change.ts";
import { readReceipt } from "../idempotency/run-idempotently.ts";

/** Collects the fields that the caller can read. */
const VALUES: RowWriter<Record<string, Json>> = {
  create: () => ({}),
  field: (values, name, value) => {
    values[name] = value;
  },
  one: () => {},
  many: () => {},
};

/** Returns the visible fields in an input that the change can't write. */
export function unwritableFields(resource: ResourceModel, { kind, input }: RowWriteOperation): readonly FieldModel[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return [];
  const fields: FieldModel[] = [];
  for (const name of Object.keys(input)) {
    const field = fieldOf(resource, name);
    if (field === undefined || field.internal) continue;
    if (isDenied(field) || !isWritable(field, kind)) fields.push(field);
  }
  return fields;
}

/**
 * Removes those fields from the input if they have their current values, so that clients can send back what they read.
 * Fields that the caller can't read are kept, so that the result doesn't reveal their values. In a replay, the first
 * request has already accepted them.
 */
export async function withoutUnchanged(
  context: OperationContext,
  resource: ResourceModel,
  operation: RowWriteOperation,
  fields: readonly FieldModel[],
): Promise<RowWriteOperation> {
  const { key, form, idempotency } = operation;
  const isReplay = (await readReceipt(context, resource.name, idempotency)) !== undefined;
  const row = isReplay ? undefined : await readVisible(context, resource, key);
  if (row === undefined && !isReplay) return operation;
  let current: Readonly<Record<string, Json>> = {};
  if (row !== undefined) {
    const plan = await planSelection(context, resource, { fields: fields.map(({ name }) => name), relations: [] });
    current = (await readLevel(context, plan, [row])).rowAt(0).write(VALUES);
  }
  const input = { ...(operation.input as Readonly<Record<string, unknown>>) };
  for (const field of fields) {
    const { name } = field;
    if (isReplay || (Object.hasOwn(current, name) && isSame(field, input[name], current[name] as Json, form))) {
      delete input[name];
    }
  }
  return { ...operation, input };
}

function isSame({ type, codec }: FieldModel, value: unknown, stored: Json, form: InputForm): boolean {
  if (value === null || stored === null) return value === stored;
  try {
    return equalJson(form === "value" && codec !== undefined ? codec.toStored(value) : coerceWire(type, value), stored);
  } catch {
    return false;
  }
}
