import { textOrderOf } from "../model/enum-order.ts";
import type { Model, ResourceModel } from "../model/model.ts";
import type { LoweringTarget } from "./lower-filter.ts";
import { listNames, type Path, quote, refuse } from "../errors/refuse.ts";
import type { Sort, SortTerm } from "../operation/sort.ts";

/** Lowers `["-price", "author.name"]`. Throws BAD_REQUEST for terms that are unknown, not sortable or repeated. */
export function lowerSort(target: LoweringTarget, terms: readonly string[], path: Path): Sort {
  const sort: SortTerm[] = [];
  for (const [index, term] of terms.entries()) {
    const lowered = lowerTerm(target, term, [...path, index]);
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
export function sortPaths(model: Model, resource: ResourceModel): readonly SortTerm["path"][] {
  const paths: SortTerm["path"][] = sortableNames(resource).map((name) => [name]);
  for (const relation of resource.relations.values()) {
    const target = model.resources.get(relation.target);
    if (relation.many || target === undefined) continue;
    for (const name of sortableNames(target)) paths.push([relation.name, name]);
  }
  return paths;
}

/** Describes how the enum at a sortable path sorts, if that isn't its declared order. */
export function describeEnumOrder(model: Model, resource: ResourceModel, path: readonly string[]): string | undefined {
  const [first = "", second] = path;
  const relation = second === undefined ? undefined : resource.relations.get(first);
  const owner = relation === undefined ? resource : model.resources.get(relation.target);
  const field = owner?.fields.get(second ?? first);
  const order = field === undefined ? undefined : textOrderOf(field);
  return order === undefined ? undefined : `Sorts by text: ${order.join(", ")}.`;
}

function sortableNames(resource: ResourceModel): string[] {
  return resource.visibleFields.filter((field) => field.sortable && !field.internal).map(({ name }) => name);
}

function lowerTerm({ model, resource }: LoweringTarget, term: unknown, path: Path): SortTerm {
  if (typeof term !== "string")
    return refuse(path, "invalid_sort", "A sort term must be a field name, with '-' for descending order.");
  const descending = term.startsWith("-");
  const name = descending ? term.slice(1) : term;
  const paths = sortPaths(model, resource);
  const found = paths.find((known) => known.join(".") === name);
  if (found !== undefined) return { path: found, descending };
  const exists = listNames(paths.map((known) => known.join(".")));
  const field = resource.visibleFields.find((known) => known.name === name);
  const problem =
    field === undefined
      ? `'${resource.name}' can't be sorted by ${quote(name)}`
      : `'${resource.name}' can't be sorted by ${quote(name)}`;
  return refuse(path, "unknown_field", `${problem}. Available: ${exists}.`);
}
