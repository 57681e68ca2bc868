import type { Model, ResourceModel } from "../model/model.ts";
import type { Limits } from "../operation/limits.ts";

/** What a request is about. */
export interface Target {
  readonly model: Model;
  readonly resource: ResourceModel;
  readonly limits: Limits;
}
