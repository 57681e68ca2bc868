import type { ResourceModel } from "../../model/model.ts";
import { ALWAYS, andFilters, type Filter, NEVER, usesRelatedValues } from "../../operation/filter.ts";
import type { WatchOperation } from "../../operation/operation.ts";
import { authorizeFilter } from "../access/authorize-filter.ts";
import { refuseRelatedValues } from "../access/decide-related.ts";
import { decide, isNever } from "../access/decide.ts";
import type { OperationContext } from "../operation-context.ts";
import { requireTenant } from "../scope/require-tenant.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { knownPlan, planSelection, type SelectionPlan } from "../read/plan-selection.ts";

/** The result of applying the rules to a watch operation at one moment. Reads depend on nothing else of the caller. */
export interface SubscriberView {
  /** Selects the visible rows. */
  readonly filter: Filter | undefined;
  readonly plan: SelectionPlan;
  /**
   * Filters for the rows on which fields, and relations with links, can be read, if rules decide about them. They don't
   * affect reads.
   */
  readonly ruled: ReadonlyMap<string, Filter>;
  /** Equal for two callers only if both see the same of every row. */
  readonly text: string;
}

/**
 * Evaluates the rules. Returns `undefined` if the caller can't read any row. Throws FORBIDDEN if its filter uses
 * something that it can't read.
 */
export async function resolveView(
  context: OperationContext,
  resource: ResourceModel,
  { filter: given, selection }: WatchOperation,
): Promise<SubscriberView | undefined> {
  requireTenant(context, resource);
  const visible = await decide(context, resource.access.read, resource);
  if (isNever(visible)) return undefined;
  const asked = await authorizeFilter(context, resource, given);
  if (usesRelatedValues(asked)) refuseRelatedValues("Subscriptions");
  const plan = knownPlan(resource, selection) ?? (await planSelection(context, resource, selection));
  // Events also contain rows outside the scope.
  const filter = andFilters(context.scope?.filterOf(resource), visible, asked ?? ALWAYS);
  const ruled = new Map<string, Filter>();
  for (const { name, read } of resource.ruledFields) ruled.set(name, await decide(context, read, resource));
  for (const relation of resource.relations.values()) {
    const target = resourceOf(context.engine.model, relation.target);
    const isOpen = relation.read.kind === "allow" && target.access.read.kind === "allow";
    if (relation.through === undefined || isOpen) continue;
    const isHidden = isNever(await decide(context, target.access.read, target));
    ruled.set(relation.name, isHidden ? NEVER : await decide(context, relation.read, resource));
  }
  // If no rule depended on the caller, all callers have the same view.
  const text =
    context.cacheability.personal || context.system
      ? JSON.stringify([filter, printRights(plan), tenantsOf(context)])
      : "";
  return { filter, plan, ruled, text };
}

/** Returns the tenants to which the rows along relations belong. */
function tenantsOf({ engine, scope }: OperationContext): unknown {
  const resources = [...engine.model.resources.values()].filter(({ tenant }) => tenant !== undefined);
  return resources.map((resource) => scope?.tenants.reachOf(resource));
}

/** Returns the part of a plan that depends on rules. */
function printRights({ hidden, byRow, computed, relations }: SelectionPlan): unknown {
  const values = computed.map(({ related }) => related?.map(({ name, filter }) => [name, filter]));
  return [[...hidden], byRow, values, relations.map(({ as, filter, plan }) => [as, filter, printRights(plan)])];
}
