import type { RelationModel, ResourceModel } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import type { Sort, SortTerm } from "../../operation/sort.ts";

interface Needs {
  readonly resource: ResourceModel;
  readonly fields: readonly string[];
  readonly byRow: readonly { readonly filter: Filter }[];
  readonly relations: readonly NeededRelation[];
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
export function neededFields({ resource, fields, byRow, relations }: Needs): ReadonlySet<string> | undefined {
  if (fields.length === resource.fields.size) return undefined;
  const needed = new Set([...fields, ...resource.key]);
  for (const { relation, plan } of relations) {
    needed.add(relation.local);
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

/** Adds the fields that cursors contain. */
export function withSort(needed: ReadonlySet<string> | undefined, sort: Sort): ReadonlySet<string> | undefined {
  if (needed === undefined || sort.every(({ path }) => path.length > 1 || needed.has(path[0]))) return needed;
  return new Set([...needed, ...sort.flatMap(({ path }) => (path.length === 1 ? [path[0]] : []))]);
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
      if (relation !== undefined) needed.add(relation.local);
      break;
    }
    case "constant":
  }
}

const BY_KEY = new WeakMap<ResourceModel, Sort>();

/** Appends the key to a sort, so that the order is total. */
export function totalSort(resource: ResourceModel, sort: Sort): Sort {
  let byKey = BY_KEY.get(resource);
  if (byKey === undefined) {
    byKey = Object.freeze(resource.key.map((name): SortTerm => ({ path: [name], descending: false })));
    BY_KEY.set(resource, byKey);
  }
  if (sort.length === 0) return byKey;
  const missing = byKey.filter(({ path: [name] }) => !sort.some(({ path }) => path.length === 1 && path[0] === name));
  return [...sort, ...missing];
}
