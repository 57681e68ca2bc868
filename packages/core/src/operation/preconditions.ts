import { BifocalError } from "../errors/bifocal-error.ts";
import type { ResourceModel } from "../model/model.ts";
import type { Precondition } from "./operation.ts";

/** The row versions that a caller requires or excludes. */
export interface Preconditions {
  readonly ifMatch?: Precondition | undefined;
  readonly ifNoneMatch?: Precondition | undefined;
}

/** Whether an existing row fails `If-Match` or `If-None-Match` (RFC 9110 §13.2.2). */
export function failsVersion({ ifMatch, ifNoneMatch }: Preconditions, version: string): boolean {
  if (ifNoneMatch === "*" || ifNoneMatch?.includes(version) === true) return true;
  return ifMatch !== undefined && ifMatch !== "*" && !ifMatch.includes(version);
}

/** Whether a change lacks the precondition that the resource requires (RFC 6585 §3). */
export function lacksPrecondition(resource: ResourceModel, { ifMatch, ifNoneMatch }: Preconditions): boolean {
  return resource.requirePrecondition && ifMatch === undefined && ifNoneMatch === undefined;
}

export function preconditionRequired(resource: ResourceModel, isBatch = false): BifocalError {
  const which = isBatch ? `the ETags of these ${resource.plural}` : `the ETag of this ${resource.name}`;
  const message = `A precondition is required. Send ${which} in 'If-Match' or 'ifMatch'.`;
  return new BifocalError("PRECONDITION_REQUIRED", message);
}

export function stale(resource: ResourceModel): BifocalError {
  const message = `This ${resource.name} was changed since you read it. Read it again, then retry.`;
  return new BifocalError("PRECONDITION_FAILED", message);
}
