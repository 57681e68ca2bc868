import type { ClientResource } from "@bifocal/core";
import { BifocalError } from "../client-error.ts";

/** Throws METHOD_NOT_ALLOWED if REST doesn't offer an operation. */
export function refuseLeftOut({ rest, name }: ClientResource, operation: string): void {
  if (!rest.includes(operation))
    throw new BifocalError("METHOD_NOT_ALLOWED", `REST doesn't offer '${operation}' for '${name}'.`);
}
