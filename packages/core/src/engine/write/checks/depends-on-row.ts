import type { Key, ResourceModel, Row } from "../../../model/model.ts";
import type { OperationContext } from "../../operation-context.ts";
import { setsPartly } from "./check-references.ts";
import { mayRename } from "./check-rename.ts";

/** Whether the checks of an update need the previous row: for a rename, or for a part of a reference. */
export function dependsOnRow({ engine }: OperationContext, resource: ResourceModel, key: Key, written: Row): boolean {
  return mayRename(engine.model, resource, key, written) || setsPartly(resource, written);
}
