import type { Model, ResourceModel } from "../../model/model.ts";
import type { Limits } from "../../limits/limits.ts";
import type { ApiView, Format } from "../formats/format.ts";
import type { PrintRequest } from "../request/print-request.ts";
import type { Vary } from "../response/headers.ts";

/** The resource of a request, with the settings of its API. */
export interface RouteTarget {
  readonly model: Model;
  readonly resource: ResourceModel;
  readonly limits: Limits;
  readonly formats: readonly Format[];
  readonly api: ApiView;
  readonly vary: Vary;
  readonly printRequest: PrintRequest;
}
