import type { RelationModel, ResourceModel } from "../model/model.ts";
import type { Limits } from "../limits/limits.ts";
import { lowerFilter, type LoweringTarget } from "../lowering/lower-filter.ts";
import { lowerPage } from "../lowering/lower-page.ts";
import { groupsSelection, relationSelection, selectionOf } from "../lowering/lower-selection.ts";
import { lowerSearch } from "../lowering/lower-search.ts";
import { lowerSort } from "../lowering/lower-sort.ts";
import { isPlainObject, listNames, type Path, quote, refuse } from "../errors/refuse.ts";
import type { Precondition, Selected } from "../operation/operation.ts";
import type { RowCondition } from "../operation/row-condition.ts";
import type { RelationSelection, Selection } from "../operation/selection.ts";
import { GROUP_OPTIONS, lowerLocalGroups, selectsGroups } from "./local-groups.ts";

type Options = Readonly<Record<string, unknown>>;

/**
 * Lowers the `select` of a local call: `{ title: true, author: { select: { name: true } } }`. Also returns the paths
 * that it names, as a part of the operation.
 */
export function lowerSelected(target: LoweringTarget, { select }: Options, limits: Limits): Selected {
  const selection = lowerSelect(target, select, limits, ["select"]);
  const named = namedPaths(select);
  return named.length === 0 ? { selection } : { selection, named };
}

/** Returns all visible fields if `select` is absent. */
function lowerSelect(target: LoweringTarget, select: unknown, limits: Limits, path: Path): Selection {
  const { resource } = target;
  if (select === undefined) return resource.whole;
  if (!isPlainObject(select))
    return refuse(path, "invalid_select", "'select' must be an object that maps each name to true or to a query.");
  const names: string[] = [];
  const relations: RelationSelection[] = [];
  for (const [name, wanted] of Object.entries(select)) {
    if (wanted === undefined || wanted === false) continue;
    const at = [...path, name];
    const relation = resource.relations.get(name);
    if (relation !== undefined) relations.push(lowerRelation(target, relation, wanted, limits, at));
    else if (wanted === true) names.push(name);
    else refuseSelected(resource, name, at);
  }
  return selectionOf(resource, names, relations, path);
}

function namedPaths(select: unknown, path = ""): readonly string[] {
  if (!isPlainObject(select)) return [];
  const wanted = Object.entries(select).filter(([, each]) => each !== undefined && each !== false);
  return wanted.flatMap(([name, each]) => [
    path + name,
    ...(isPlainObject(each) ? namedPaths(each["select"], `${path}${name}.`) : []),
  ]);
}

function lowerRelation(
  { model }: LoweringTarget,
  relation: RelationModel,
  wanted: unknown,
  limits: Limits,
  path: Path,
): RelationSelection {
  const target = { model, resource: model.resources.get(relation.target) as ResourceModel };
  const query = wanted === true ? {} : wanted;
  if (!isPlainObject(query)) return refuse(path, "invalid_select", `${quote(relation.name)} must be true or a query.`);
  if (relation.many && selectsGroups(query)) {
    checkNames(query, GROUP_OPTIONS, path);
    const aggregation = lowerLocalGroups(target.resource, query, limits, path);
    if (aggregation.measures.length === 0 && aggregation.groupBy.length === 0)
      refuse(path, "missing", `Groups of '${relation.name}' need at least one name in 'aggregate' or 'group'.`);
    return groupsSelection(relation, aggregation, lowerLocalCondition(target, query, limits, path));
  }
  checkNames(
    query,
    relation.many ? ["select", "filter", "search", "sort", "page", "aggregate", "group"] : ["select"],
    path,
  );
  const selection = lowerSelect(target, query["select"], limits, [...path, "select"]);
  return relationSelection({ model, relation, ...lowerLocalList(target, query, limits, path), selection });
}

/** Lowers filter, sort and page of a local query, at the root or in a relation. */
export function lowerLocalList(
  target: LoweringTarget,
  query: Options,
  limits: Limits,
  path: Path,
): Pick<RelationSelection, "filter" | "search" | "sort" | "page"> & {
  readonly page: NonNullable<RelationSelection["page"]>;
} {
  const { sort = [], page = {} } = query;
  const condition = lowerLocalCondition(target, query, limits, path);
  if (!Array.isArray(sort)) return refuse([...path, "sort"], "invalid_sort", "'sort' must be a list of names.");
  if (!isPlainObject(page)) return refuse([...path, "page"], "invalid_page", "'page' must be an object.");
  return {
    ...condition,
    sort: lowerSort(target, sort, [...path, "sort"]),
    page: lowerPage(target.resource, page, limits, [...path, "page"]),
  };
}

/** Lowers `filter` and `search`. */
export function lowerLocalCondition(target: LoweringTarget, query: Options, limits: Limits, path: Path): RowCondition {
  const filter = lowerFilter(target, query["filter"], { form: "value", limits, path: [...path, "filter"] });
  const search = lowerSearch(target.resource, query["search"], [...path, "search"]);
  return { ...(filter && { filter }), ...(search && { search }) };
}

/** Lowers the option `ifMatch`: `*`, one version or a list of versions. */
export function preconditionOf({ ifMatch }: Options): { readonly ifMatch?: Precondition } {
  if (ifMatch === undefined) return {};
  if (ifMatch === "*") return { ifMatch };
  return { ifMatch: (Array.isArray(ifMatch) ? ifMatch : [ifMatch]) as readonly string[] };
}

/** Rejects options that aren't in `known`, so that misspelled ones aren't ignored. */
export function checkNames(options: Options, known: readonly string[], path: Path): void {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    refuse([...path, name], "unknown_parameter", `Unknown option ${quote(name)}. Available: ${listNames(known)}.`);
  }
}

function refuseSelected(resource: ResourceModel, name: string, path: Path): never {
  const isField = resource.visibleFields.some((field) => field.name === name);
  if (isField) return refuse(path, "invalid_select", `${quote(name)} is a field. Select it with true.`);
  selectionOf(resource, [name], [], path);
  throw new Error("The selection contains an unknown field.");
}
