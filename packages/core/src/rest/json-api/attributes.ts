import type { ResourceModel } from "../../model/model.ts";

/**
 * Returns the attribute name of a field. A field `id` or `type` would conflict with the members of the resource object
 * (§7.2.2), so it becomes `bookType`, or `bookTypeValue` if `bookType` exists.
 */
export function attributeName({ name, fields, relations }: ResourceModel, field: string): string {
  if (field !== "id" && field !== "type") return field;
  let free = `${name}${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  while (fields.has(free) || relations.has(free)) free += "Value";
  return free;
}

export function fieldName(resource: ResourceModel, attribute: string): string {
  return (
    ["id", "type"].find((field) => attributeName(resource, field) === attribute && resource.fields.has(field)) ??
    attribute
  );
}

/** Whether a field is an attribute. The key is the `id`, and foreign keys are relationships (§7.2.2.1). */
export function isAttribute({ key, relations }: ResourceModel, field: string): boolean {
  if (key.includes(field)) return false;
  for (const { kind, local } of relations.values()) if (kind === "belongsTo" && local === field) return false;
  return true;
}
