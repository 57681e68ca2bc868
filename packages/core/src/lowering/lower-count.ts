import { type Path, refuse } from "../errors/refuse.ts";
import type { ResourceModel } from "../model/model.ts";
import type { Count } from "../operation/count.ts";

/**
 * Reads the `count` of a list: a boolean, the text of one, or `exact`. Throws BAD_REQUEST for any other value, and for
 * `exact` if the resource doesn't allow it.
 */
export function lowerCount({ name, exactCount }: ResourceModel, value: unknown, path: Path): Count {
  if (value === undefined || value === "false" || value === false) return false;
  if (value === "true" || value === true) return true;
  if (value === "exact" && exactCount) return "exact";
  if (value === "exact") {
    return refuse(path, "unsupported", `'count=exact' is not available for '${name}'. Use 'count=true'.`);
  }
  const known = exactCount ? "'true', 'false' or 'exact'" : "'true' or 'false'";
  return refuse(path, "malformed", `'count' must be ${known}.`);
}
