import type { FieldModel, InputForm, Key, ResourceModel } from "../../../model/model.ts";
import { isWritable } from "../../../model/parse/input-parser.ts";
import type { Json } from "../../../util/json.ts";

/**
 * Adds the key from the URL to the input of a replace operation. Writable key fields are filled in if they are absent;
 * other key fields are removed if they equal the URL.
 */
export function withKey(resource: ResourceModel, key: Key, input: unknown, form: InputForm): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const given: Record<string, unknown> = { ...input };
  for (const [name, part] of keyParts(resource, key)) {
    const field = resource.fields.get(name) as FieldModel;
    if (isWritable(field, "replace")) {
      if (given[name] === undefined) given[name] = keyValue(field, part, form);
    } else if (given[name] === keyValue(field, part, form)) delete given[name];
  }
  return given;
}

/** Returns the fields of a key with their values. */
export function keyParts({ key: names }: ResourceModel, key: Key): readonly (readonly [string, Json])[] {
  const parts = Array.isArray(key) ? (key as readonly Json[]) : [key as Json];
  return names.map((name, index) => [name, parts[index] as Json]);
}

/** Returns a part of a key in the form of an input. */
export function keyValue({ codec }: FieldModel, part: Json, form: InputForm): unknown {
  return form === "value" && codec !== undefined ? codec.toValue(part) : part;
}
