import type { FieldModel, ResourceModel, Row } from "../../../model/model.ts";
import { storedValue } from "../../../model/parse/input-parser.ts";
import type { Json } from "../../../util/json.ts";

/** A whole new row: what was written, what is generated, and defaults. What the store counts is left to it. */
export function buildRow(resource: ResourceModel, written: Row): Row {
  const row: Record<string, Json> = {};
  for (const field of resource.fields.values()) {
    const given = written[field.name];
    // The store counts it.
    if (field.name === resource.version) continue;
    if (given !== undefined) row[field.name] = given;
    else if (field.generated === undefined) row[field.name] = field.default ?? null;
    else if (field.generated.when !== "store") row[field.name] = makeValue(field);
  }
  return row;
}

/** The fields that are made anew at every change. */
export function regenerate(resource: ResourceModel): Row {
  const row: Record<string, Json> = {};
  for (const field of resource.fields.values()) {
    if (field.generated?.when === "write") row[field.name] = makeValue(field);
  }
  return row;
}

/** A generator gives either side of a codec; the schema takes the one, the codec itself the other. */
function makeValue(field: FieldModel): Json {
  const made = field.generated?.make();
  if (field.codec === undefined) return made as Json;
  const parsed = field.schema.safeParse(made);
  return storedValue(field, parsed.success ? parsed.data : made);
}
