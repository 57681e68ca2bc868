import type { ResourceModel } from "../../model/model.ts";
import { omitUndefined } from "../../util/omit-undefined.ts";
import type { RelationSelection, Selection } from "../../operation/selection.ts";
import { notExpressible } from "./not-expressible-error.ts";
import { type PrintContext, printedResource } from "./print-context.ts";
import { groupsTree } from "./groups-tree.ts";
import { pageWords, searchText, termsOfSort } from "./list-words.ts";
import { shortenFilter, writeFilter } from "./write-filter.ts";

type Tree = Readonly<Record<string, unknown>>;

export function isWhole({ whole }: ResourceModel, { fields }: Selection): boolean {
  return fields.length === whole.fields.length && whole.fields.every((name) => fields.includes(name));
}

/** Throws if a relation is read more than once. Only GraphQL can do that. */
export function checkPlainRelations({ relations }: Selection): void {
  const names = new Set<string>();
  for (const { relation } of relations) {
    if (names.has(relation))
      notExpressible(`Only GraphQL can read '${relation}' more than once, with an alias for each.`);
    names.add(relation);
  }
}

/** Writes `fields`, `include` and `rel` of REST. */
export function selectTree(context: PrintContext, resource: ResourceModel, selection: Selection): Tree {
  const rel: Record<string, unknown> = {};
  const includes: string[] = [];
  const fields: string[] = [];
  let isIncluded = isWhole(resource, selection);
  const walk = (own: ResourceModel, selected: Selection, path: string): void => {
    checkPlainRelations(selected);
    const prefix = path === "" ? "" : `${path}.`;
    const whole = isWhole(own, selected);
    const rows = selected.relations.filter(({ aggregation }) => aggregation === undefined);
    if (!whole && selected.fields.length === 0 && rows.length === 0)
      notExpressible("REST can't select a row without any of its fields.");
    if (path !== "" && whole) fields.push(path);
    else fields.push(...selected.fields.map((name) => prefix + name));
    for (const relation of selected.relations) {
      const at = prefix + relation.relation;
      const { resource: target } = printedResource(context, own.relations.get(relation.relation)?.target ?? "");
      if (relation.aggregation !== undefined) {
        rel[at] = groupsTree(context, target, relation.aggregation, relation);
        continue;
      }
      isIncluded &&= isWhole(target, relation.selection);
      if (relation.selection.relations.every(({ aggregation }) => aggregation !== undefined)) includes.push(at);
      const parts = listTree(context, target, relation);
      if (Object.keys(parts).length > 0) rel[at] = parts;
      walk(target, relation.selection, at);
    }
  };
  walk(resource, selection, "");
  const isDefault = isIncluded && includes.length === 0;
  return omitUndefined({
    fields: isIncluded ? undefined : fields,
    include: isDefault || !isIncluded ? undefined : includes,
    rel: Object.keys(rel).length === 0 ? undefined : rel,
  });
}

/** Writes `filter`, `q`, `sort`, `page` and `count` of REST. */
export function listTree(
  { model }: PrintContext,
  resource: ResourceModel,
  list: Pick<RelationSelection, "filter" | "search" | "sort" | "page" | "count">,
): Tree {
  const { filter, search, sort, page, count } = list;
  return omitUndefined({
    filter: filter && shortenFilter(writeFilter(model, resource, filter)),
    q: search && searchText(search),
    sort: sort.length === 0 ? undefined : termsOfSort(sort),
    page: page && pageWords(resource, page),
    count: count === false ? undefined : count,
  });
}
