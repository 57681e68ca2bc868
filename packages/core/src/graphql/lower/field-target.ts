import type { Model, ResourceModel } from "../../model/model.ts";
import type { Limits } from "../../limits/limits.ts";
import type { Ids } from "../ids.ts";

/** The resource of a field, with the settings that lowering needs. */
export interface FieldTarget {
  readonly model: Model;
  readonly resource: ResourceModel;
  readonly limits: Limits;
  readonly ids: Ids;
}
