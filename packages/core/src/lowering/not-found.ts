import { BifocalError } from "../errors/bifocal-error.ts";
import type { ResourceModel } from "../model/model.ts";

/** The error is the same for a missing row and for a hidden one. */
export function notFound(resource: ResourceModel): BifocalError {
  return new BifocalError("NOT_FOUND", `There is no ${resource.name} with this id.`);
}
