import { fieldOf } from "../../model/field-of.ts";
import type { ComputedModel, FieldModel, RelationModel, ResourceModel, RuleModel } from "../../model/model.ts";
import { ALWAYS, andFilters, type Filter } from "../../operation/filter.ts";
import type { RelationSelection, Selection } from "../../operation/selection.ts";
import { authorizeAggregation } from "../access/authorize-aggregation.ts";
import { authorizeFilter, authorizeSort } from "../access/authorize-filter.ts";
import { authorizeSearch } from "../access/authorize-search.ts";
import { decideRelated } from "../access/decide-related.ts";
import type { NamedRelatedValue } from "../../store/store.ts";
import { decide, isAlways, isNever } from "../access/decide.ts";
import { type GroupsPlan, planGroups } from "../aggregate/plan-groups.ts";
import type { OperationContext } from "../operation-context.ts";
import { isSameFields } from "../../model/reference.ts";
import { resourceOf } from "../../model/resource-of.ts";
import type { LevelPlan } from "./level.ts";
import { neededFields, orderOf, withSort } from "./needed-fields.ts";
import { storeRelatedValues } from "./read-related-values.ts";
import type { ListPlan } from "./read-page.ts";

/** A selection with the caller's rights applied: the fields to copy, the names to hide, and the relations to read. */
export interface SelectionPlan extends LevelPlan {
  /** All fields to read; `undefined` for every field. */
  readonly needed: ReadonlySet<string> | undefined;
  /** Selected names that the caller can read on some rows. */
  readonly byRow: readonly { readonly name: string; readonly filter: Filter }[];
  /** The selected fields to compute. */
  readonly computed: readonly PlannedField[];
  readonly relations: readonly RelationPlan[];
  /** Paths of all hidden names, including those in relations. */
  readonly denied: readonly string[];
}

/** A field to compute. `related`: the values that its store computes for it. */
export interface PlannedField {
  readonly field: ComputedModel;
  readonly related?: readonly NamedRelatedValue[];
}

export interface RelationPlan extends ListPlan {
  readonly relation: RelationModel;
  readonly as: string;
  readonly plan: SelectionPlan;
  /** Set if groups of the rows are read instead. */
  readonly groups?: GroupsPlan | undefined;
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
  const computed: PlannedField[] = [];
  for (const name of selection.fields) {
    const isVisible = await note(name, (fieldOf(resource, name) as FieldModel).read);
    const own = isVisible ? resource.computed.get(name) : undefined;
    const planned = own && (await planComputed(context, resource, own));
    if (planned !== undefined) computed.push(planned);
    else if (own !== undefined) hidden.add(name);
  }

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
    const planning = selected.aggregation === undefined ? planRelation : planRelatedGroups;
    const plan = await planning(context, relation, target, selected, visible);
    relations.push({ ...plan, goesBack: isAlways(visible) && leadsBack(via, plan) });
    denied.push(...plan.plan.denied.map((path) => `${relation.name}.${path}`));
  }
  const isAll = selection.fields.length === resource.fields.size;
  const whole = isAll && computed.length === 0 && hidden.size === 0 && byRow.length === 0 && relations.length === 0;
  const clean = hidden.size === 0 && byRow.length === 0 && relations.every((relation) => relation.plan.clean);
  const needed = neededFields({ resource, fields: selection.fields, computed, byRow, relations, via });
  const { fields } = selection;
  return { resource, selection, fields, needed, computed, whole, clean, hidden, byRow, relations, denied };
}

/** Returns undefined if the caller can't read the field of the related rows. */
async function planComputed(
  context: OperationContext,
  resource: ResourceModel,
  field: ComputedModel,
): Promise<PlannedField | undefined> {
  const { name, computation } = field;
  if (computation.kind !== "related") return { field };
  const value = await decideRelated(context, resource, field, computation);
  if (value === undefined) return undefined;
  return { field, related: [{ ...value, name }] };
}

async function planRelation(
  context: OperationContext,
  relation: RelationModel,
  target: ResourceModel,
  selected: RelationSelection,
  visible: Filter,
): Promise<Omit<RelationPlan, "goesBack">> {
  const terms = await authorizeSort(context, target, selected.sort);
  const filter = await authorizeFilter(context, target, selected.filter);
  const found = selected.search && (await authorizeSearch(context, target, selected.search));
  const { asked, sort } = orderOf(target, { filter: selected.filter, sort: terms }, found);
  const plan = await resolvePlan(context, target, selected.selection, relation);
  return {
    relation,
    as: selected.as,
    target,
    filter: andFilters(visible, filter ?? ALWAYS, found?.filter),
    asked,
    sort,
    page: selected.page ?? { size: 1 },
    count: selected.count ?? false,
    fields: withSort(plan.needed, sort),
    relatedValues: storeRelatedValues(context, plan),
    plan,
  };
}

/** The rows of the groups are neither read nor returned. */
async function planRelatedGroups(
  context: OperationContext,
  relation: RelationModel,
  target: ResourceModel,
  selected: RelationSelection,
  visible: Filter,
): Promise<Omit<RelationPlan, "goesBack">> {
  const { aggregation } = selected;
  const plan = await planRelation(context, relation, target, selected, visible);
  if (aggregation === undefined) return plan;
  const terms = await authorizeAggregation(context, target, aggregation);
  return { ...plan, groups: planGroups(context, { ...aggregation, target, relation, terms, asked: plan.asked }) };
}

/** For example, from books of authors to their authors. */
function leadsBack(via: RelationModel | undefined, { relation, asked }: Omit<RelationPlan, "goesBack">): boolean {
  if (via === undefined || via.through !== undefined || relation.kind !== "belongsTo" || asked !== undefined)
    return false;
  if (relation.target !== via.source) return false;
  return isSameFields(relation.local, via.foreign) && isSameFields(relation.foreign, via.local);
}

/** Whether no rule of the related rows decides about a field that is computed from them. */
function isOpenComputed({ engine }: OperationContext, resource: ResourceModel, name: string): boolean {
  const computation = resource.computed.get(name)?.computation;
  if (computation?.kind !== "related") return true;
  const relation = resource.relations.get(computation.relation) as RelationModel;
  const target = resourceOf(engine.model, relation.target);
  const source = computation.field === undefined ? undefined : target.fields.get(computation.field);
  return target.access.read.kind === "allow" && (source === undefined || source.read.kind === "allow");
}

/** Whether no rule of the selection depends on the caller, so that its plan applies to all callers. */
function isOpen(context: OperationContext, resource: ResourceModel, selection: Selection): boolean {
  if (!selection.fields.every((name) => fieldOf(resource, name)?.read.kind === "allow")) return false;
  if (!selection.fields.every((name) => isOpenComputed(context, resource, name))) return false;
  return selection.relations.every((selected) => {
    const relation = resource.relations.get(selected.relation) as RelationModel;
    const target = resourceOf(context.engine.model, relation.target);
    if (relation.read.kind !== "allow" || target.access.read.kind !== "allow") return false;
    // The rules of fields decide whether they can be used in filters, sorts and aggregates.
    if (selected.aggregation !== undefined) return false;
    const isPlain = selected.filter === undefined && selected.search === undefined && selected.sort.length === 0;
    return isPlain && isOpen(context, target, selected.selection);
  });
}
