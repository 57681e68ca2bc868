import { refuse } from "../../errors/refuse.ts";
import type { ResourceModel } from "../../model/model.ts";
import { resourceOf } from "../../model/resource-of.ts";
import type { StoreGroupTerm } from "../../store/store.ts";
import type { OperationContext } from "../operation-context.ts";
import { storeFilter } from "../read/rewrite-related.ts";

/** Returns group terms that the resource's store supports. Throws BAD_REQUEST if it can't follow their relations. */
export async function storeGroupTerms(
  context: OperationContext,
  resource: ResourceModel,
  terms: readonly StoreGroupTerm[],
): Promise<readonly StoreGroupTerm[]> {
  const store = context.storeOf(resource.name);
  const supported: StoreGroupTerm[] = [];
  for (const term of terms) {
    const { relation, filter } = term;
    if (relation === undefined) {
      supported.push(term);
      continue;
    }
    if (store.capabilities.relatedGroups !== true || context.storeOf(relation.target) !== store) {
      const message = `'${resource.name}' can't be grouped by fields of '${relation.name}': its store can't follow the relation.`;
      refuse(["group"], "unsupported", message);
    }
    const target = resourceOf(context.engine.model, relation.target);
    supported.push({ ...term, filter: await storeFilter(context, target, filter) });
  }
  return supported;
}
