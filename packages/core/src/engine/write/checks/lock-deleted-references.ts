import type { Key, RelationModel, ResourceModel } from "../../../model/model.ts";
import { andFilters } from "../../../operation/filter.ts";
import { keyOf } from "../../../operation/key.ts";
import { valueFilter } from "../../../operation/keys-filter.ts";
import { type OperationContext, storeOfReferences } from "../../operation-context.ts";
import { lockRows } from "../deletion/lock-rows.ts";
import { eachRow } from "../../read/each-row.ts";
import { deletedFilter } from "../../scope/deleted-rows.ts";

/** Locks the deleted rows that reference a value until the end of the transaction, so that none is restored meanwhile. */
export async function lockDeletedReferences(
  context: OperationContext,
  resource: ResourceModel,
  { local }: RelationModel,
  value: Key,
): Promise<void> {
  const keys: Key[] = [];
  const store = storeOfReferences(context, resource.name, true);
  const filter = andFilters(valueFilter(local, value), deletedFilter(resource));
  await eachRow(context, resource, filter, (row) => keys.push(keyOf(resource, row)), store);
  await lockRows(context, resource, keys);
}
