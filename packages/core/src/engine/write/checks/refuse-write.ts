import { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Key, ResourceModel } from "../../../model/model.ts";
import {
  lacksPrecondition,
  type Preconditions,
  preconditionRequired,
  stale,
} from "../../../operation/preconditions.ts";
import { denied } from "../../access/decide.ts";
import type { Frame } from "../../frame.ts";
import { notFound, readVisible } from "../../run-get.ts";

/** Why nothing was written: the row has changed, or the caller sees it and may not, or sees none. */
export async function refusalOf(
  frame: Frame,
  resource: ResourceModel,
  key: Key,
  kind: "absent" | "stale" | "refused",
  what: string,
): Promise<BifocalError> {
  switch (kind) {
    case "stale":
      return stale(resource);
    case "refused":
      return new BifocalError(
        "FORBIDDEN",
        `You are not allowed to ${what} in this way: you could not change the result.`,
      );
    case "absent":
      return (await readVisible(frame, resource, key)) === undefined ? notFound(resource) : denied(frame, what);
  }
}

/** Where a resource demands a precondition, a change without one is refused (RFC 6585 §3); system code need not say. */
export function requirePrecondition(frame: Frame, resource: ResourceModel, operation: Preconditions): void {
  if (lacksPrecondition(resource, operation) && !frame.system) throw preconditionRequired(resource);
}
