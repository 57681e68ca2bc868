import type { ResourceModel, Row } from "../../../model/model.ts";
import { type OperationContext, resourceOf } from "../../operation-context.ts";
import { totalSort } from "../../read/total-sort.ts";
import { linkRelations } from "../deletion/incoming-references.ts";

const CHUNK = 1_000;

export async function removeLinks(context: OperationContext, resource: ResourceModel, row: Row): Promise<void> {
  const { model } = context.engine;
  for (const relation of linkRelations(model, resource)) {
    const from = row[relation.local];
    if (typeof from !== "string" && typeof from !== "number") continue;
    const target = resourceOf(model, relation.target);
    const store = context.storeOf(target.name);
    const query = { resource: target, relation, parents: [from], sort: totalSort(target, []), limit: CHUNK };
    for (let more = true; more; ) {
      const [page] = await store.listPer(query, context.deadline);
      for (const linked of page?.rows ?? []) {
        const to = linked[relation.foreign] as string | number;
        await store.unlink({ relation, from, to }, context.deadline);
      }
      more = page?.more === true;
    }
  }
}
