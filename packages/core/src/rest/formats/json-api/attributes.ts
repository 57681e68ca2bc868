import type { ResourceModel } from "../../../model/model.ts";

/** A member `id` or `type` would be taken for the resource object's own (§7.2.2): such a field is `bookType`. */
export function attributeName({ name }: ResourceModel, field: string): string {
  if (field !== "id" && field !== "type") return field;
  return `${name}${field.charAt(0).toUpperCase()}${field.slice(1)}`;
}

export function fieldName(resource: ResourceModel, attribute: string): string {
  return (
    ["id", "type"].find((field) => attributeName(resource, field) === attribute && resource.fields.has(field)) ??
    attribute
  );
}
