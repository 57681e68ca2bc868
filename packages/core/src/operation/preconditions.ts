import { BifocalError } from "../errors/bifocal-error.ts";
import type { ResourceModel } from "../model/model.ts";
import type { Precondition } from "./operation.ts";

/** What a caller says of the versions of a row. */
export interface Preconditions {
  readonly ifMatch?: Precondition | undefined;
  readonly ifNoneMatch?: Precondition | undefined;
}

/** Whether a row that is there is in none of the versions of `If-Match`, or in one of those of `If-None-Match` (RFC 9110 §13.2.2). */
export function failsVersion({ ifMatch, ifNoneMatch }: Preconditions, version: string): boolean {
  if (ifNoneMatch === "*" || ifNoneMatch?.includes(version) === true) return true;
  return ifMatch !== undefined && ifMatch !== "*" && !ifMatch.includes(version);
}

/** Whether a change says nothing of the version that it means, where the resource demands that (RFC 6585 §3). */
export function lacksPrecondition(resource: ResourceModel, { ifMatch, ifNoneMatch }: Preconditions): boolean {
  return resource.requirePrecondition && ifMatch === undefined && ifNoneMatch === undefined;
}

export function preconditionRequired(resource: ResourceModel): BifocalError {
  const message = `A precondition is required. Send the ETag of this ${resource.name} in 'If-Match' or 'ifMatch'.`;
  return new BifocalError("PRECONDITION_REQUIRED", message);
}

export function stale(resource: ResourceModel): BifocalError {
  const message = `This ${resource.name} was changed since you read it. Read it again, then retry.`;
  return new BifocalError("PRECONDITION_FAILED", message);
}
