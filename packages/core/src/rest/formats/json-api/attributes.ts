import type { ResourceModel } from "../../../model/model.ts";

/**
 * A member `id` or `type` would be taken for the resource object's own (§7.2.2): such a field is `bookType`, or
 * `bookTypeValue` where there is a `bookType`.
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

/** The key is the `id`, and foreign keys are relationships (§7.2.2.1). */
export function isAttribute({ key, relations }: ResourceModel, field: string): boolean {
  if (key.includes(field)) return false;
  for (const { kind, local } of relations.values()) if (kind === "belongsTo" && local === field) return false;
  return true;
}
