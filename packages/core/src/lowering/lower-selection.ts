import { suggestName } from "../util/closest-name.ts";
import type { Model, RelationModel, ResourceModel } from "../model/model.ts";
import type { Aggregation } from "../operation/aggregation.ts";
import { canonicalJson } from "../util/canonical-json.ts";
import type { Filter } from "../operation/filter.ts";
import { type Count, mergeCounts } from "../operation/count.ts";
import type { Page } from "../operation/page.ts";
import { listNames, type Path, quote, refuse } from "../errors/refuse.ts";
import type { RowCondition } from "../operation/row-condition.ts";
import type { RelationSelection, Selection } from "../operation/selection.ts";
import type { Search } from "../operation/search.ts";
import type { Sort } from "../operation/sort.ts";

/** The filter, order and page of a relation. Defaults apply where they are absent. */
export interface ListParts {
  readonly filter?: Filter | undefined;
  readonly search?: Search | undefined;
  readonly sort?: Sort | undefined;
  readonly page?: Page | undefined;
}

/** The resource of each list of selected fields, so that two lists can be merged in the order of its definition. */
const SELECTED_OF = new WeakMap<readonly string[], ResourceModel>();

/**
 * Returns the named fields in the order of their definition, without duplicates. Throws BAD_REQUEST for unknown or
 * internal fields.
 */
export function selectFields(resource: ResourceModel, names: Iterable<string>, path: Path = []): readonly string[] {
  const wanted = new Set(names);
  const fields: string[] = [];
  for (const { name } of resource.visibleFields) if (wanted.delete(name)) fields.push(name);
  for (const name of wanted) {
    const names = [...resource.visibleFields.map((field) => field.name), ...resource.relations.keys()];
    const problem = `'${resource.name}' has no field ${quote(name)}`;
    refuse(path, "unknown_field", `${problem}. ${suggestName(name, names)}Available: ${listNames(names)}.`);
  }
  SELECTED_OF.set(fields, resource);
  return fields;
}

/** Returns the name of a relation's result in the node. It depends only on the relation's name and its list parts. */
export function relationAs(relation: RelationModel, target: ResourceModel, parts: ListParts): string {
  const { filter, search, sort, page } = parts;
  const isDefaultPage = page === undefined || (page.size === target.page.size && Object.keys(page).length === 1);
  if (filter === undefined && search === undefined && (sort === undefined || sort.length === 0) && isDefaultPage)
    return relation.name;
  const listed = sort !== undefined && sort.length > 0 ? sort : undefined;
  return relation.name + canonicalJson({ filter, search, sort: listed, page: isDefaultPage ? undefined : page });
}

export interface RelationRequest extends ListParts {
  readonly model: Model;
  readonly relation: RelationModel;
  readonly count?: Count | undefined;
  readonly selection: Selection;
}

/** Returns a relation to read, with defaults and its `as` filled in. */
export function relationSelection(request: RelationRequest): RelationSelection {
  const { model, relation, filter, search, sort = [], selection } = request;
  const target = model.resources.get(relation.target) as ResourceModel;
  if (!relation.many) return { relation: relation.name, as: relation.name, sort: [], selection };
  const page = request.page ?? { size: target.page.size };
  return {
    relation: relation.name,
    as: relationAs(relation, target, { filter, search, sort, page }),
    ...(filter === undefined ? {} : { filter }),
    ...(search === undefined ? {} : { search }),
    sort,
    page,
    ...(request.count === undefined || request.count === false ? {} : { count: request.count }),
    selection,
  };
}

const NOTHING: Selection = Object.freeze({ fields: [], relations: [] });

/** Returns groups of the rows of a to-many relation to read. */
export function groupsSelection(
  relation: RelationModel,
  aggregation: Aggregation,
  condition: RowCondition,
): RelationSelection {
  return {
    relation: relation.name,
    as: groupsAs(relation, aggregation, condition),
    ...condition,
    sort: [],
    aggregation,
    selection: NOTHING,
  };
}

/** Returns the name of a relation's groups in the node. It depends on everything but the values to compute. */
export function groupsAs(relation: RelationModel, aggregation: Aggregation, condition: RowCondition): string {
  const { measures: _, ...parts } = aggregation;
  return `${relation.name} groups ${canonicalJson({ ...condition, ...parts })}`;
}

/** Returns a selection in canonical order. Relations with the same `as` are merged. */
export function selectionOf(
  resource: ResourceModel,
  names: Iterable<string>,
  relations: readonly RelationSelection[],
  path: Path = [],
): Selection {
  return { fields: selectFields(resource, names, path), relations: mergeRelations(relations) };
}

/** Returns the union of two selections of the same resource. */
function mergeSelections(a: Selection, b: Selection): Selection {
  if (a === b) return a;
  return { fields: mergeFields(a.fields, b.fields), relations: mergeRelations([...a.relations, ...b.relations]) };
}

function mergeFields(a: readonly string[], b: readonly string[]): readonly string[] {
  if (b.every((name) => a.includes(name))) return a;
  if (a.every((name) => b.includes(name))) return b;
  const resource = SELECTED_OF.get(a) ?? SELECTED_OF.get(b);
  const names = new Set([...a, ...b]);
  return resource === undefined ? [...names] : selectFields(resource, names);
}

function mergeRelations(relations: readonly RelationSelection[]): readonly RelationSelection[] {
  const merged = new Map<string, RelationSelection>();
  for (const relation of relations) {
    const other = merged.get(relation.as);
    merged.set(relation.as, other === undefined ? relation : mergeRelation(other, relation));
  }
  return [...merged.values()].sort((a, b) => (a.as < b.as ? -1 : a.as > b.as ? 1 : 0));
}

/** `count` isn't part of `as`, because a client that did not request the total ignores it. */
function mergeRelation(a: RelationSelection, b: RelationSelection): RelationSelection {
  const count = mergeCounts(a.count, b.count);
  return { ...a, ...(count === false ? {} : { count }), selection: mergeSelections(a.selection, b.selection) };
}
