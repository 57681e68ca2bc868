import type { ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import type { OperationContext } from "../operation-context.ts";
import { totalSort } from "./needed-fields.ts";

const CHUNK = 1_000;

/**
 * Calls `visit` for every row that matches, without access rules. Rows are read in chunks by key. The store must
 * support the filter.
 */
export async function eachRow(
  context: OperationContext,
  resource: ResourceModel,
  filter: Filter | undefined,
  visit: (row: Row) => void,
  store = context.storeOf(resource.name),
): Promise<void> {
  const sort = totalSort(resource, []);
  let after: readonly Row[string][] | undefined;
  for (let more = true; more; ) {
    const page = await store.list({ resource, filter, sort, limit: CHUNK, after }, context.deadline);
    for (const row of page.rows) visit(row);
    const last = page.rows.at(-1);
    more = page.more && last !== undefined;
    after = last && sort.map(({ path: [name] }) => last[name] ?? null);
  }
}
