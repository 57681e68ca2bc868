import type { RelationModel, ResourceModel } from "../../../model/model.ts";

/** Returns the fields of a reference that can be null. Setting them to null removes the reference. */
export function clearedFields({ fields }: ResourceModel, { local }: RelationModel): readonly string[] {
  return local.filter((name) => fields.get(name)?.type.nullable === true);
}
