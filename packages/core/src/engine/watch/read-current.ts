import type { ResourceModel, Row } from "../../model/model.ts";
import { keyOf, keyToken } from "../../operation/key.ts";
import type { WatchOperation } from "../../operation/operation.ts";
import type { Change } from "../../operation/outcome.ts";
import { refuse } from "../../errors/refuse.ts";
import { rowVersion } from "../../model/row-version.ts";
import type { OperationContext } from "../operation-context.ts";
import { readLevel } from "../read/read-level.ts";
import { storeFilter } from "../read/rewrite-related.ts";
import { totalSort } from "../read/needed-fields.ts";
import type { Current } from "./opening.ts";
import type { SubscriberView } from "./view.ts";

/** Reads the current rows of a watch operation. Throws if there are more than one page can have. */
export async function readCurrent(
  context: OperationContext,
  resource: ResourceModel,
  operation: WatchOperation,
  view: SubscriberView,
): Promise<Current> {
  const rows = await readRows(context, resource, operation, view);
  const level = await readLevel(context, view.plan, rows);
  const versions = new Map<string, string>();
  const changes = rows.map((row, index): Change => {
    const key = keyOf(resource, row);
    versions.set(keyToken(key), rowVersion(resource, row));
    return { kind: "current", key, row: level.rowAt(index) };
  });
  return { changes, versions };
}

async function readRows(
  context: OperationContext,
  resource: ResourceModel,
  { key }: WatchOperation,
  view: SubscriberView,
): Promise<readonly Row[]> {
  const store = context.storeOf(resource.name);
  const filter = await storeFilter(context, resource, view.filter);
  if (key !== undefined) return store.byKeys({ resource, keys: [key], filter }, context.deadline);
  const { max } = resource.page;
  const { rows } = await store.list(
    { resource, filter, sort: totalSort(resource, []), limit: max + 1 },
    context.deadline,
  );
  if (rows.length > max) {
    refuse(["initial"], "too_many", `More than ${max} ${resource.plural} match. Use a narrower filter.`);
  }
  return rows;
}
