import type { RelationModel, ResourceModel, Row } from "../../../model/model.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { decide, denied, isAlways, refuseNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { matchesRow } from "../../read/match-rows.ts";

/**
 * Rejects a write whose result depends on the rows of a relation, if the caller can't read the relation. Its errors
 * would otherwise reveal them.
 */
export async function refuseUnreadable(
  context: OperationContext,
  relation: RelationModel,
  source?: Row,
): Promise<void> {
  const what = `read ${relation.name}`;
  const own: ResourceModel = resourceOf(context.engine.model, relation.source);
  const target = resourceOf(context.engine.model, relation.target);
  const [readable, visible] = [
    await decide(context, relation.read, own),
    await decide(context, target.access.read, target),
  ];
  refuseNever(context, readable, what);
  refuseNever(context, visible, what);
  if (source === undefined || isAlways(readable)) return;
  if (!(await matchesRow(context, own, source, readable))) throw denied(context, what);
}
