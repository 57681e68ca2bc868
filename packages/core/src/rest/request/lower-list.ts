import type { CompleteListParts } from "../../lowering/complete-list-parts.ts";
import type { Filter } from "../../operation/filter.ts";
import type { RowCondition } from "../../operation/row-condition.ts";
import { lowerFilter } from "../../lowering/lower-filter.ts";
import { lowerPage } from "../../lowering/lower-page.ts";
import { lowerSearch } from "../../lowering/lower-search.ts";
import { lowerSort } from "../../lowering/lower-sort.ts";
import type { Path } from "../../errors/refuse.ts";
import type { QueryTree } from "./parse-query.ts";
import { rejectUnknownParameters, readObject, readSort } from "./parameters.ts";
import type { RouteTarget } from "../routes/route-target.ts";

/** The form of values: `text` from a query string, or `wire` from the JSON body of `QUERY`. */
export type ValueForm = "text" | "wire";

type LowerTarget = Pick<RouteTarget, "model" | "resource" | "limits">;

const PAGE_WORDS = ["size", "after", "before", "offset"];

/** Lowers `filter`, `q`, `sort` and `page` of a list or a nested relation. */
export function lowerListParts(target: LowerTarget, tree: QueryTree, path: Path, form: ValueForm): CompleteListParts {
  const { limits } = target;
  const condition = lowerCondition(target, tree, path, form);
  const sort = lowerSort(target, readSort(tree["sort"], [...path, "sort"], form === "wire"), [...path, "sort"]);
  const words = readObject(tree["page"], [...path, "page"], "page[size]=20");
  rejectUnknownParameters(words, PAGE_WORDS, undefined, [...path, "page"]);
  const page = lowerPage(target.resource, words, limits, [...path, "page"]);
  return { ...condition, sort, page };
}

/** Lowers `filter` and `q`. */
export function lowerCondition(target: LowerTarget, tree: QueryTree, path: Path, form: ValueForm): RowCondition {
  const filter = lowerFilterPart(target, tree, path, form);
  const search = lowerSearch(target.resource, tree["q"], [...path, "q"]);
  return { ...(filter && { filter }), ...(search && { search }) };
}

export function lowerFilterPart(target: LowerTarget, tree: QueryTree, path: Path, form: ValueForm): Filter | undefined {
  const at = [...path, "filter"];
  const given = tree["filter"] === undefined ? undefined : readObject(tree["filter"], at, "filter[name]=…");
  return lowerFilter(target, given, { form, limits: target.limits, path: at });
}
