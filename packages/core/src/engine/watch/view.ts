import type { ResourceModel } from "../../model/model.ts";
import { ALWAYS, andFilters, type Filter, NEVER } from "../../operation/filter.ts";
import type { WatchOperation } from "../../operation/operation.ts";
import { authorizeFilter } from "../access/authorize-filter.ts";
import { decide, isNever } from "../access/decide.ts";
import { type Frame, resourceOf } from "../frame.ts";
import { knownPlan, planSelection, type Plan } from "../read/plan-selection.ts";

/** What the rules leave of a watch operation at one moment. What is read depends on nothing else of the caller. */
export interface View {
  /** Which rows are to be seen. */
  readonly filter: Filter | undefined;
  readonly plan: Plan;
  /** Of fields, and relations with links, that rules decide about: on which rows they may be read. What is read does not depend on it. */
  readonly ruled: ReadonlyMap<string, Filter>;
  /** The same for two callers only where both see the same, of every row. */
  readonly text: string;
}

/** Asks the rules. `undefined`: the caller may read no row at all. Throws FORBIDDEN for a filter by what it may not read. */
export async function resolveView(
  frame: Frame,
  resource: ResourceModel,
  { filter: given, selection }: WatchOperation,
): Promise<View | undefined> {
  const visible = await decide(frame, resource.access.read, resource);
  if (isNever(visible)) return undefined;
  const asked = await authorizeFilter(frame, resource, given);
  const plan = knownPlan(resource, selection) ?? (await planSelection(frame, resource, selection));
  const filter = andFilters(visible, asked ?? ALWAYS);
  const ruled = new Map<string, Filter>();
  for (const { name, read } of resource.ruledFields) ruled.set(name, await decide(frame, read, resource));
  for (const relation of resource.relations.values()) {
    const target = resourceOf(frame.engine.model, relation.target);
    const isOpen = relation.read.kind === "allow" && target.access.read.kind === "allow";
    if (relation.through === undefined || isOpen) continue;
    const isHidden = isNever(await decide(frame, target.access.read, target));
    ruled.set(relation.name, isHidden ? NEVER : await decide(frame, relation.read, resource));
  }
  // Where no rule looked at the caller, all see the same, and there is nothing to tell apart.
  const text = frame.notes.personal || frame.system ? JSON.stringify([filter, printRights(plan)]) : "";
  return { filter, plan, ruled, text };
}

/** Of a plan what rules decided; the rest is the operation's. */
function printRights({ hidden, byRow, relations }: Plan): unknown {
  return [[...hidden], byRow, relations.map(({ as, filter, plan }) => [as, filter, printRights(plan)])];
}
