import { suggestName } from "../util/closest-name.ts";
import { textOrderOf } from "../model/enum-order.ts";
import { fieldOf } from "../model/field-of.ts";
import type { FieldModel, Model, ResourceModel } from "../model/model.ts";
import { isOfferedRelation } from "../model/offered.ts";
import type { LoweringTarget } from "./lower-filter.ts";
import { listNames, type Path, quote, refuse } from "../errors/refuse.ts";
import type { Sort, SortTerm } from "../operation/sort.ts";

/**
 * Lowers `["-price", "author.name"]`. Throws BAD_REQUEST for terms that are unknown, not sortable or repeated. Code of the
 * server (`isTrusted`) can also sort by fields that aren't declared as sortable.
 */
export function lowerSort(target: LoweringTarget, terms: readonly string[], path: Path, isTrusted = false): Sort {
  const sort: SortTerm[] = [];
  for (const [index, term] of terms.entries()) {
    const lowered = lowerTerm(target, term, [...path, index], isTrusted);
    const name = lowered.path.join(".");
    if (sort.some((other) => other.path.join(".") === name))
      refuse([...path, index], "repeated", `${quote(name)} appears twice in the sort.`);
    sort.push(lowered);
  }
  return sort;
}

/**
 * Returns every path that callers can sort by: fields in the order of their definition, then those of to-one relations.
 */
function sortPaths(model: Model, resource: ResourceModel, isTrusted = false): readonly SortTerm["path"][] {
  const paths: SortTerm["path"][] = sortableNames(resource, isTrusted).map((name) => [name]);
  for (const relation of resource.relations.values()) {
    const target = model.resources.get(relation.target);
    if (relation.many || target === undefined) continue;
    for (const name of sortableNames(target, isTrusted)) paths.push([relation.name, name]);
  }
  return paths;
}

/** Returns the sortable paths that the styles show: not those along relations that are denied to everyone. */
export function offeredSortPaths(model: Model, resource: ResourceModel): readonly SortTerm["path"][] {
  const denied = [...resource.relations.values()].filter((relation) => !isOfferedRelation(model, relation));
  if (denied.length === 0) return sortPaths(model, resource);
  return sortPaths(model, resource).filter(([first]) => !denied.some(({ name }) => name === first));
}

/** Describes how the enum at a sortable path sorts, if that isn't its declared order. */
export function describeEnumOrder(model: Model, resource: ResourceModel, path: readonly string[]): string | undefined {
  const [first = "", second] = path;
  const relation = second === undefined ? undefined : resource.relations.get(first);
  const owner = relation === undefined ? resource : model.resources.get(relation.target);
  const field = owner && fieldOf(owner, second ?? first);
  const order = field === undefined ? undefined : textOrderOf(field);
  return order === undefined ? undefined : `Sorts by text: ${order.join(", ")}.`;
}

function sortableNames(resource: ResourceModel, isTrusted: boolean): string[] {
  const isOrdered = (field: FieldModel): boolean => resource.fields.has(field.name) && !UNORDERED.has(field.type.kind);
  return resource.visibleFields
    .filter((field) => (field.sortable || (isTrusted && isOrdered(field))) && !field.internal)
    .map(({ name }) => name);
}

const UNORDERED: ReadonlySet<string> = new Set(["list", "object", "json"]);

function lowerTerm({ model, resource }: LoweringTarget, term: unknown, path: Path, isTrusted: boolean): SortTerm {
  if (typeof term !== "string")
    return refuse(path, "invalid_sort", "A sort term must be a field name, with '-' for descending order.");
  const descending = term.startsWith("-");
  const name = descending ? term.slice(1) : term;
  const paths = sortPaths(model, resource, isTrusted);
  const found = paths.find((known) => known.join(".") === name);
  if (found !== undefined) return { path: found, descending };
  const names = paths.map((known) => known.join("."));
  const problem = `'${resource.name}' can't be sorted by ${quote(name)}`;
  const [, base = "", order] = /^(\S+)[\s:.](asc|desc)$/i.exec(name) ?? [];
  if (names.includes(base)) {
    const meant = order?.toLowerCase() === "desc" ? `-${base}` : base;
    return refuse(path, "unknown_field", `${problem}. Write ${quote(meant)} for this order.`);
  }
  return refuse(path, "unknown_field", `${problem}. ${suggestName(name, names)}Available: ${listNames(names)}.`);
}
