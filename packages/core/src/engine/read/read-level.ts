import type { Row } from "../../model/model.ts";
import { allMaybePromises, type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import type { OperationContext } from "../operation-context.ts";
import { Level } from "./level.ts";
import { matchRows } from "./match-rows.ts";
import type { SelectionPlan } from "./plan-selection.ts";
import { type Above, readRelation } from "./read-relation.ts";

/**
 * Reads everything below some rows, with each relation once for all of them. `above` is the relation that led to these
 * rows.
 */
export function readLevel(
  context: OperationContext,
  plan: SelectionPlan,
  rows: readonly Row[],
  above?: Above,
): MaybePromise<Level> {
  if (rows.length === 0 || (plan.relations.length === 0 && plan.byRow.length === 0)) return new Level(plan, rows);
  const reading = allMaybePromises(
    plan.relations.map((relation) => readRelation(context, relation, rows, { readLevel, above })),
  );
  return mapMaybePromise(reading, (related) => {
    if (plan.byRow.length === 0) return new Level(plan, rows, related);
    const deciding = plan.byRow.map(async ({ name, filter }) => {
      return { name, matches: await matchRows(context, plan.resource, rows, filter) };
    });
    return Promise.all(deciding).then((decided) => new Level(plan, rows, related, decided));
  });
}
