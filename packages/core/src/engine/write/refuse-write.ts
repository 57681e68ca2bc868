import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Key, ResourceModel } from "../../model/model.ts";
import { denied } from "../access/decide.ts";
import type { Frame } from "../frame.ts";
import { notFound, readVisible } from "../run-get.ts";

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
      return new BifocalError("FORBIDDEN", `You may not ${what} so that it is no longer yours to change.`);
    case "absent":
      return (await readVisible(frame, resource, key)) === undefined ? notFound(resource) : denied(frame, what);
  }
}

export function stale(resource: ResourceModel): BifocalError {
  const message = `This ${resource.name} has changed since you read it. Read it again, then decide.`;
  return new BifocalError("PRECONDITION_FAILED", message);
}
