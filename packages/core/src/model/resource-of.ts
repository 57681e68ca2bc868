import type { Model, ResourceModel } from "./model.ts";

/** Returns the resource with this name, such as that of an operation or the target of a relation. */
export function resourceOf(model: Model, name: string): ResourceModel {
  const resource = model.resources.get(name);
  if (resource === undefined) throw new Error(`Unknown resource '${name}'.`);
  return resource;
}
