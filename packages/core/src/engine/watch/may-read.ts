import type { ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import { isAlways, isNever } from "../access/decide.ts";
import type { OperationContext } from "../operation-context.ts";
import { matchesRow } from "../read/match-rows.ts";

/** Returns whether one of the rows matches the decision of a rule. */
export async function mayRead(
  context: OperationContext,
  resource: ResourceModel,
  readable: Filter,
  rows: readonly Row[],
): Promise<boolean> {
  if (isAlways(readable) || isNever(readable)) return isAlways(readable);
  for (const row of rows) if (await matchesRow(context, resource, row, readable)) return true;
  return false;
}
