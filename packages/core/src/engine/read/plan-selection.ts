import type { FieldModel, RelationModel, ResourceModel, RuleModel } from "../../model/model.ts";
import { ALWAYS, andFilters, type Filter } from "../../operation/filter.ts";
import type { RelationSelection, Selection } from "../../operation/selection.ts";
import { authorizeFilter, authorizeSort } from "../access/authorize-filter.ts";
import { decide, isAlways, isNever } from "../access/decide.ts";
import type { OperationContext } from "../operation-context.ts";
import { resourceOf } from "../../model/resource-of.ts";
import type { LevelPlan } from "./level.ts";
import { neededFields, withSort, totalSort } from "./needed-fields.ts";
import type { ListPlan } from "./read-page.ts";

/** A selection with the caller's rights applied: the fields to copy, the names to hide, and the relations to read. */
export interface SelectionPlan extends LevelPlan {
  /** All fields to read; `undefined` for every field. */
  readonly needed: ReadonlySet<string> | undefined;
  /** Selected names that the caller can read on some rows. */
  readonly byRow: readonly { readonly name: string; readonly filter: Filter }[];
  readonly relations: readonly RelationPlan[];
  /** Paths of all hidden names, including those in relations. */
  readonly denied: readonly string[];
}

export interface RelationPlan extends ListPlan {
  readonly relation: RelationModel;
  readonly as: string;
  readonly plan: SelectionPlan;
  /** True if the relation leads back to the rows from which its own were reached, and all of those are visible. */
  readonly goesBack: boolean;
}

const STATIC = new WeakMap<Selection, SelectionPlan>();

/** Plans a selection. If no rule depends on the caller, the plan is the same for all callers and is cached. */
export async function planSelection(
  context: OperationContext,
  resource: ResourceModel,
  selection: Selection,
): Promise<SelectionPlan> {
  const plan = await resolvePlan(context, resource, selection);
  if (isOpen(context, resource, selection)) STATIC.set(selection, plan);
  return plan;
}

/** Returns the plan if it is cached. */
export function knownPlan(resource: ResourceModel, selection: Selection): SelectionPlan | undefined {
  const plan = STATIC.get(selection);
  return plan?.resource === resource ? plan : undefined;
}

/** `via` is the relation that leads to the rows. */
async function resolvePlan(
  context: OperationContext,
  resource: ResourceModel,
  selection: Selection,
  via?: RelationModel,
): Promise<SelectionPlan> {
  const hidden = new Set<string>();
  const byRow: { name: string; filter: Filter }[] = [];
  const note = async (name: string, rule: RuleModel): Promise<boolean> => {
    if (rule.kind === "allow") return true;
    const decision = await decide(context, rule, resource);
    if (isAlways(decision)) return true;
    if (isNever(decision)) hidden.add(name);
    else byRow.push({ name, filter: decision });
    return !isNever(decision);
  };
  for (const name of selection.fields) await note(name, (resource.fields.get(name) as FieldModel).read);

  const relations: RelationPlan[] = [];
  const denied: string[] = [...hidden];
  for (const selected of selection.relations) {
    const relation = resource.relations.get(selected.relation) as RelationModel;
    const target = resourceOf(context.engine.model, relation.target);
    const visible = await decide(context, target.access.read, target);
    if (isNever(visible)) hidden.add(selected.as);
    if (hidden.has(selected.as) || !(await note(selected.as, relation.read))) {
      denied.push(relation.name);
      continue;
    }
    const plan = await planRelation(context, relation, target, selected, visible);
    relations.push({ ...plan, goesBack: isAlways(visible) && leadsBack(via, plan) });
    denied.push(...plan.plan.denied.map((path) => `${relation.name}.${path}`));
  }
  const isAll = selection.fields.length === resource.fields.size;
  const whole = isAll && hidden.size === 0 && byRow.length === 0 && relations.length === 0;
  const clean = hidden.size === 0 && byRow.length === 0 && relations.every((relation) => relation.plan.clean);
  const needed = neededFields({ resource, fields: selection.fields, byRow, relations });
  return { resource, selection, fields: selection.fields, needed, whole, clean, hidden, byRow, relations, denied };
}

async function planRelation(
  context: OperationContext,
  relation: RelationModel,
  target: ResourceModel,
  selected: RelationSelection,
  visible: Filter,
): Promise<Omit<RelationPlan, "goesBack">> {
  const sort = totalSort(target, selected.sort);
  await authorizeSort(context, target, selected.sort);
  const asked = await authorizeFilter(context, target, selected.filter);
  const plan = await resolvePlan(context, target, selected.selection, relation);
  return {
    relation,
    as: selected.as,
    target,
    filter: andFilters(visible, asked ?? ALWAYS),
    asked: selected.filter,
    sort,
    page: selected.page ?? { size: 1 },
    count: selected.count ?? false,
    fields: withSort(plan.needed, sort),
    plan,
  };
}

/** For example, from books of authors to their authors. */
function leadsBack(via: RelationModel | undefined, { relation, asked }: Omit<RelationPlan, "goesBack">): boolean {
  if (via === undefined || via.through !== undefined || relation.kind !== "belongsTo" || asked !== undefined)
    return false;
  return relation.target === via.source && relation.local === via.foreign && relation.foreign === via.local;
}

/** Whether no rule of the selection depends on the caller, so that its plan applies to all callers. */
function isOpen(context: OperationContext, resource: ResourceModel, selection: Selection): boolean {
  if (!selection.fields.every((name) => resource.fields.get(name)?.read.kind === "allow")) return false;
  return selection.relations.every((selected) => {
    const relation = resource.relations.get(selected.relation) as RelationModel;
    const target = resourceOf(context.engine.model, relation.target);
    if (relation.read.kind !== "allow" || target.access.read.kind !== "allow") return false;
    // The rules of fields decide whether they can be used in filters and sorts.
    return selected.filter === undefined && selected.sort.length === 0 && isOpen(context, target, selected.selection);
  });
}
