import { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Key, ResourceModel } from "../../../model/model.ts";
import {
  lacksPrecondition,
  type Preconditions,
  preconditionRequired,
  stale,
} from "../../../operation/preconditions.ts";
import { denied } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { readVisible } from "../../run-get.ts";
import { notFound } from "../../../lowering/not-found.ts";

/**
 * Returns the error for a write that had no effect: the row has changed, the caller can't change it, or the caller
 * can't see it.
 */
export async function refusalOfWrite(
  context: OperationContext,
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
      return (await readVisible(context, resource, key)) === undefined ? notFound(resource) : denied(context, what);
  }
}

/**
 * Rejects a change without the precondition that the resource requires (RFC 6585 §3). System code needs no
 * precondition.
 */
export function requirePrecondition(
  context: OperationContext,
  resource: ResourceModel,
  operation: Preconditions,
): void {
  if (lacksPrecondition(resource, operation) && !context.system) throw preconditionRequired(resource);
}
