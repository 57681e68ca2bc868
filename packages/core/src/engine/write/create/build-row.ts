import type { FieldModel, ResourceModel, Row } from "../../../model/model.ts";
import { storedValue } from "../../../model/parse/input-parser.ts";
import type { Json } from "../../../util/json.ts";

/**
 * Builds a new row from the written fields, generated values and defaults. Fields that the store generates are omitted.
 */
export function buildRow(resource: ResourceModel, written: Row): Row {
  const row: Record<string, Json> = {};
  for (const field of resource.fields.values()) {
    const given = written[field.name];
    // The store sets the version.
    if (field.name === resource.version) continue;
    if (given !== undefined) row[field.name] = given;
    else if (field.generated === undefined) row[field.name] = field.default ?? null;
    else if (field.generated.when !== "store") row[field.name] = makeValue(field);
  }
  return row;
}

/** Returns new values for the fields that are generated on every change. */
export function regenerate(resource: ResourceModel): Row {
  const row: Record<string, Json> = {};
  for (const field of resource.fields.values()) {
    if (field.generated?.when === "write") row[field.name] = makeValue(field);
  }
  return row;
}

/** A generator returns a value of either side of a codec. */
function makeValue(field: FieldModel): Json {
  const made = field.generated?.make();
  if (field.codec === undefined) return made as Json;
  const parsed = field.schema.safeParse(made);
  return storedValue(field, parsed.success ? parsed.data : made);
}
