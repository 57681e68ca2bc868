import type { Model, ResourceModel } from "../../model/model.ts";
import type { Limits } from "../../limits/limits.ts";
import type { Ids } from "../ids.ts";

/** What a field of the document is about. */
export interface Target {
  readonly model: Model;
  readonly resource: ResourceModel;
  readonly limits: Limits;
  readonly ids: Ids;
}
