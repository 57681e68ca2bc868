import type { ComputedModel, RelationModel, ResourceModel } from "../../model/model.ts";
import { andFilters, type Filter } from "../../operation/filter.ts";
import type { Sort, SortTerm } from "../../operation/sort.ts";

interface Needs {
  readonly resource: ResourceModel;
  readonly fields: readonly string[];
  readonly computed: readonly { readonly field: ComputedModel }[];
  readonly byRow: readonly { readonly filter: Filter }[];
  readonly relations: readonly NeededRelation[];
  /** The relation that leads to the rows. */
  readonly via: RelationModel | undefined;
}

interface NeededRelation {
  readonly relation: RelationModel;
  readonly plan: {
    readonly relations: readonly {
      readonly goesBack: boolean;
      readonly plan: { readonly needed: ReadonlySet<string> | undefined };
    }[];
  };
}

/** Returns the fields that a plan needs, for stores that can read only some; `undefined` for all. */
export function neededFields({
  resource,
  fields,
  computed,
  byRow,
  relations,
  via,
}: Needs): ReadonlySet<string> | undefined {
  if (fields.length === resource.fields.size && computed.length === 0) return undefined;
  const needed = new Set([...fields.filter((name) => resource.fields.has(name)), ...resource.key]);
  for (const { field } of computed) for (const name of sourcesOf(resource, field)) needed.add(name);
  // The rows are found again by these fields.
  if (via?.kind === "belongsTo") for (const name of via.foreign) needed.add(name);
  for (const { relation, plan } of relations) {
    for (const name of relation.local) needed.add(name);
    // These rows are used again by a relation that leads back to them.
    for (const back of plan.relations) {
      if (!back.goesBack) continue;
      if (back.plan.needed === undefined) return undefined;
      for (const name of back.plan.needed) needed.add(name);
    }
  }
  for (const { filter } of byRow) addFields(resource, filter, needed);
  return needed;
}

function sourcesOf({ relations }: ResourceModel, { computation }: ComputedModel): readonly string[] {
  return computation.kind === "related" ? (relations.get(computation.relation)?.local ?? []) : computation.from;
}

/** Adds the fields that cursors contain. */
export function withSort(needed: ReadonlySet<string> | undefined, sort: Sort): ReadonlySet<string> | undefined {
  if (needed === undefined || sort.every((term) => isFar(term) || needed.has(term.path[0]))) return needed;
  return new Set([...needed, ...sort.flatMap((term) => (isFar(term) ? [] : [term.path[0]]))]);
}

/** Whether the value of a sort term isn't a field of the row. */
function isFar({ path, related, score }: SortTerm): boolean {
  return path.length > 1 || related !== undefined || score !== undefined;
}

function addFields(resource: ResourceModel, filter: Filter, needed: Set<string>): void {
  switch (filter.kind) {
    case "and":
    case "or":
      for (const inner of filter.filters) addFields(resource, inner, needed);
      break;
    case "not":
      addFields(resource, filter.filter, needed);
      break;
    case "compare":
      needed.add(filter.field);
      break;
    case "related": {
      const relation = resource.relations.get(filter.relation);
      for (const name of relation?.local ?? []) needed.add(name);
      break;
    }
    case "constant":
  }
}

/**
 * Returns the total order of a list, and the conditions that its cursors are bound to. Without a sort, a search orders
 * by relevance.
 */
export function orderOf(
  resource: ResourceModel,
  { filter, sort }: { readonly filter?: Filter | undefined; readonly sort: Sort },
  found: { readonly filter: Filter; readonly relevance: SortTerm } | undefined,
): { readonly sort: Sort; readonly asked: Filter | undefined } {
  if (found === undefined) return { sort: totalSort(resource, sort), asked: filter };
  return {
    sort: totalSort(resource, sort.length === 0 ? [found.relevance] : sort),
    asked: andFilters(filter, found.filter),
  };
}

const BY_KEY = new WeakMap<ResourceModel, Sort>();

/** Returns the order of a list without a sort: by key. The newest entry of a history comes first. */
function ownOrder({ key, historyOf }: ResourceModel): SortTerm[] {
  const descending = historyOf !== undefined;
  return [...(descending ? ["at"] : []), ...key].map((name) => ({ path: [name], descending }));
}

/** Appends the key to a sort, so that the order is total. */
export function totalSort(resource: ResourceModel, sort: Sort): Sort {
  let byKey = BY_KEY.get(resource);
  if (byKey === undefined) {
    byKey = Object.freeze(ownOrder(resource));
    BY_KEY.set(resource, byKey);
  }
  if (sort.length === 0) return byKey;
  const missing = byKey.filter(({ path: [name] }) => !sort.some(({ path }) => path.length === 1 && path[0] === name));
  return [...sort, ...missing];
}
