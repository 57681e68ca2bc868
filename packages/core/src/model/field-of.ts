import type { FieldModel, ResourceModel } from "./model.ts";

/** Returns a stored or computed field. */
export function fieldOf({ fields, computed }: ResourceModel, name: string): FieldModel | undefined {
  return fields.get(name) ?? computed.get(name);
}
