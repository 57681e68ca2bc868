import { DefinitionError, type DefinitionMistake } from "../../errors/definition-error.ts";
import type { Model } from "../../model/model.ts";
import type { Format } from "../formats/format.ts";

/** Throws a `DefinitionError` if a field has a name that a format reserves. */
export function checkFormats(model: Model, formats: readonly Format[]): void {
  const mistakes: DefinitionMistake[] = [];
  for (const { mediaType, reserved = [] } of formats) {
    for (const { name, visibleFields } of model.resources.values()) {
      for (const field of visibleFields) {
        if (!reserved.includes(field.name)) continue;
        const problem = `'${mediaType}' reserves the member '${field.name}', but a field has this name.`;
        const fix = "Rename the field, or remove the format from 'formats'.";
        mistakes.push({ at: `${name}.fields.${field.name}`, problem, fix });
      }
    }
  }
  if (mistakes.length > 0) throw new DefinitionError(mistakes);
}
