import type { ResourceModel, Row } from "../../model/model.ts";
import type { Precondition } from "../../operation/operation.ts";
import { failsVersion } from "../../operation/preconditions.ts";
import { partVersion, rowVersion } from "../../model/row-version.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import { mayHideFields, type OperationContext } from "../operation-context.ts";
import { matchRows } from "../read/match-rows.ts";
import { decide, isAlways, isNever } from "./decide.ts";

/**
 * Returns the version of a row for the caller. It doesn't depend on fields that the caller can't read (docs/adr/0017).
 */
export function callerVersion(context: OperationContext, resource: ResourceModel, row: Row): MaybePromise<string> {
  return mayHideFields(context, resource) ? visibleVersion(context, resource, row) : rowVersion(resource, row);
}

async function visibleVersion(context: OperationContext, resource: ResourceModel, row: Row): Promise<string> {
  const hidden = new Set<string>();
  for (const { name, read } of resource.ruledFields) {
    const decision = await decide(context, read, resource);
    if (isAlways(decision)) continue;
    if (isNever(decision) || !(await matchRows(context, resource, [row], decision))(row)) hidden.add(name);
  }
  return hidden.size === 0 ? rowVersion(resource, row) : partVersion(resource, row, hidden);
}

/** Whether a row fails `If-Match` or `If-None-Match`. */
export function failsPrecondition(
  context: OperationContext,
  resource: ResourceModel,
  row: Row,
  ifMatch: Precondition | undefined,
  ifNoneMatch: Precondition | undefined,
): boolean | Promise<boolean> {
  if (ifNoneMatch === "*") return true;
  if ((ifMatch === undefined || ifMatch === "*") && ifNoneMatch === undefined) return false;
  const fails = (version: string): boolean => failsVersion({ ifMatch, ifNoneMatch }, version);
  const version = callerVersion(context, resource, row);
  return version instanceof Promise ? version.then(fails) : fails(version);
}
