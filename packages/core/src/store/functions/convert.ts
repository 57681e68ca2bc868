import type { Key, ResourceModel, Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import type { Value } from "./resource-functions.ts";

/** Converts the result of a function to a complete row in stored form. */
export function toRow(resource: ResourceModel, value: object): Row {
  const stored = resource.codec?.toStored(value as Value) ?? (value as Row);
  const row: Record<string, Json> = {};
  for (const { name, type } of resource.fields.values()) {
    const one = stored[name] ?? null;
    if (one === null && !type.nullable) throw new Error(`functionStore: a row of '${resource.name}' has no '${name}'.`);
    row[name] = one;
  }
  return row;
}

/** Converts stored fields to decoded values. */
export function toValue(resource: ResourceModel, row: Row): Value {
  if (resource.codec === undefined) return row;
  // Only includes existing fields: an update of one field must not write the others.
  const value = resource.codec.toValue(row);
  return Object.fromEntries(Object.keys(row).map((name) => [name, value[name]]));
}

/** Converts a key to its decoded value, or to an object if the key has several fields. */
export function toId(resource: ResourceModel, key: Key): unknown {
  const parts = Array.isArray(key) ? (key as readonly (string | number)[]) : [key as string | number];
  const values = resource.key.map((name, index): [string, unknown] => {
    const codec = resource.fields.get(name)?.codec;
    const part = parts[index] as string | number;
    return [name, codec === undefined ? part : codec.toValue(part)];
  });
  return values.length === 1 ? values[0]?.[1] : Object.fromEntries(values);
}
