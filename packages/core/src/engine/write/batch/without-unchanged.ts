import { coerceWire } from "../../../model/coerce.ts";
import type { FieldModel, InputForm, ResourceModel, Row } from "../../../model/model.ts";
import { isWritable } from "../../../model/parse/input-parser.ts";
import { equalJson } from "../../../util/equal-json.ts";
import type { Json } from "../../../util/json.ts";

/**
 * Removes immutable fields with unchanged values from an input that replaces an existing row. The input may contain
 * them because it could also create the row, and repeating it must have the same effect (RFC 9110 §9.2.2). Fields with
 * a read rule are kept, so that the result doesn't reveal their values.
 */
export function withoutUnchanged(resource: ResourceModel, row: Row, input: unknown, form: InputForm): unknown {
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
