import type { ResourceModel } from "../../model/model.ts";
import { relationIn } from "../../model/relation-in.ts";

/**
 * Returns the attribute name of a field. A field `id` or `type` would conflict with the members of the resource object
 * (§7.2.2), so it becomes `bookType`, or `bookTypeValue` if `bookType` exists.
 */
export function attributeName({ name, fields, computed, relations }: ResourceModel, field: string): string {
  if (field !== "id" && field !== "type") return field;
  let free = `${name}${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  while (fields.has(free) || computed.has(free) || relations.has(free)) free += "Value";
  return free;
}

export function fieldName(resource: ResourceModel, attribute: string): string {
  return (
    ["id", "type"].find((field) => attributeName(resource, field) === attribute && resource.fields.has(field)) ??
    attribute
  );
}

/**
 * Whether a field is an attribute. The key is the `id`, and foreign keys are relationships (§7.2.2.1). The parts of a
 * reference with several fields and the values of other unique fields are attributes, because no relationship shows
 * them alone.
 */
export function isAttribute(resource: ResourceModel, field: string): boolean {
  return !resource.key.includes(field) && relationIn(resource, field) === undefined;
}
