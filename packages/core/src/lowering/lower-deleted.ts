import { type Path, refuse } from "../errors/refuse.ts";
import type { ResourceModel } from "../model/model.ts";
import type { DeletedRows } from "../operation/deleted-rows.ts";

/** Lowers the `deleted` of a read. Throws BAD_REQUEST for any other value, and if the resource has no soft delete. */
export function lowerDeleted(
  { name, softDelete }: ResourceModel,
  value: unknown,
  path: Path = ["deleted"],
): { readonly deleted?: DeletedRows } {
  if (value === undefined || value === null) return {};
  if (softDelete === undefined) {
    return refuse(path, "unsupported", `'deleted' is not available for '${name}', which has no soft delete.`);
  }
  if (value === "only" || value === "with") return { deleted: value };
  return refuse(path, "malformed", "'deleted' must be 'only' or 'with'.");
}
