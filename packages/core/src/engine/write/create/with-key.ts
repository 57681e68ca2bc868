import type { FieldModel, InputForm, Key, ResourceModel } from "../../../model/model.ts";
import { isWritable } from "../../../model/parse/input-parser.ts";
import type { Json } from "../../../util/json.ts";

/**
 * What replaces a row says its key by its address: what of it the input leaves out, and may hold, is added, and what it may not
 * hold, but says just so, is left out.
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

/** The fields of a key, each with its part. */
export function keyParts({ key: names }: ResourceModel, key: Key): readonly (readonly [string, Json])[] {
  const parts = Array.isArray(key) ? (key as readonly Json[]) : [key as Json];
  return names.map((name, index) => [name, parts[index] as Json]);
}

/** A part of a key as an input has it. */
export function keyValue({ codec }: FieldModel, part: Json, form: InputForm): unknown {
  return form === "value" && codec !== undefined ? codec.toValue(part) : part;
}
