import type { Key, ResourceModel, Row } from "../../model/model.ts";
import { keyOf } from "../../operation/key.ts";
import type { ItemOutcome, Node, NothingOutcome } from "../../operation/outcome.ts";
import type { Selection } from "../../operation/selection.ts";
import { decide, isAlways, isNever } from "../access/decide.ts";
import type { Frame } from "../frame.ts";
import { matchesRow } from "../read/match-rows.ts";
import { knownPlan, planSelection } from "../read/plan-selection.ts";
import { readNodes } from "../read/read-nodes.ts";
import { itemOutcome } from "../run-get.ts";

/** A row that was just written, as its writer may see it; `nothing` where it may not. */
export async function answerRow(
  frame: Frame,
  resource: ResourceModel,
  row: Row,
  selection: Selection,
): Promise<ItemOutcome | NothingOutcome> {
  const key: Key = keyOf(resource, row);
  const visible = await decide(frame, resource.access.read, resource);
  if (isNever(visible)) return { kind: "nothing", key };
  if (!isAlways(visible) && !(await matchesRow(frame, resource, row, visible))) return { kind: "nothing", key };
  const plan = knownPlan(resource, selection) ?? (await planSelection(frame, resource, selection));
  const [node] = await readNodes(frame, plan, [row]);
  return itemOutcome(frame, plan, key, row, node as Node);
}
