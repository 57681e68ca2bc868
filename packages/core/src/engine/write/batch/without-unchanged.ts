import { coerceWire } from "../../../model/coerce.ts";
import type { FieldModel, InputForm, ResourceModel, Row } from "../../../model/model.ts";
import { isWritable } from "../../../model/parse/input-parser.ts";
import { equalJson } from "../../../util/equal-json.ts";
import type { Json } from "../../../util/json.ts";

/**
 * What may make a row may say what nothing changes in it, and is the same when it comes again (RFC 9110 §9.2.2): of a row that is
 * there, what it says just so is left out. Of a field that not everybody may read, nobody finds out so what it holds.
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
