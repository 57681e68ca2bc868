import type { ResourceModel, Row } from "../../../model/model.ts";
import type { Precondition } from "../../../operation/operation.ts";
import { stale } from "../../../operation/preconditions.ts";
import { callerVersion } from "../../access/caller-version.ts";
import type { OperationContext } from "../../operation-context.ts";

/**
 * Checks the precondition of a batch: a list must contain the version of each row, as often as rows have it. Returns the
 * version in which each row must be written; undefined if any is accepted. Throws PRECONDITION_FAILED.
 */
export async function checkVersions(
  context: OperationContext,
  resource: ResourceModel,
  rows: readonly Row[],
  ifMatch: Precondition | undefined,
): Promise<ReadonlyMap<Row, readonly [string]> | undefined> {
  if (ifMatch === undefined || ifMatch === "*") return undefined;
  const left = [...ifMatch];
  const pinned = new Map<Row, readonly [string]>();
  for (const row of rows) {
    const version = await callerVersion(context, resource, row);
    const at = left.indexOf(version);
    if (at < 0) throw stale(resource);
    // Counters of different rows can be equal, so each entry stands for one row.
    left.splice(at, 1);
    pinned.set(row, [version]);
  }
  return pinned;
}
