import type { CompleteListParts } from "../../lowering/complete-list-parts.ts";
import type { Filter } from "../../operation/filter.ts";
import { lowerFilter } from "../../lowering/lower-filter.ts";
import { lowerPage } from "../../lowering/lower-page.ts";
import { lowerSearch } from "../../lowering/lower-search.ts";
import { lowerSort } from "../../lowering/lower-sort.ts";
import type { RowCondition } from "../../operation/row-condition.ts";
import type { Page } from "../../operation/page.ts";
import { filterFromIds } from "./filter-from-ids.ts";
import type { FieldTarget } from "./field-target.ts";

type Path = readonly (string | number)[];
type Arguments = Readonly<Record<string, unknown>>;

const PAGING = ["first", "after", "last", "before", "offset"] as const;

/** Lowers the arguments of a list, root or nested. `null` has the same meaning as an absent argument. */
export function lowerList(target: FieldTarget, args: Arguments, path: Path): CompleteListParts {
  const condition = lowerConditionArguments(target, args, path);
  const sort = lowerSort(target, (args["sort"] ?? []) as readonly string[], [...path, "sort"]);
  const request: Partial<Record<(typeof PAGING)[number], unknown>> = {};
  for (const name of PAGING) if (args[name] !== undefined && args[name] !== null) request[name] = args[name];
  const page = lowerPage(target.resource, request, target.limits, path);
  return { ...condition, sort, page };
}

/** Lowers `filter` and `search`. */
export function lowerConditionArguments(target: FieldTarget, args: Arguments, path: Path): RowCondition {
  const filter = lowerFilterArgument(target, args, path);
  const search = lowerSearch(target.resource, args["search"], [...path, "search"]);
  return { ...(filter && { filter }), ...(search && { search }) };
}

export function lowerFilterArgument(target: FieldTarget, args: Arguments, path: Path): Filter | undefined {
  const { filter } = args;
  if (filter === undefined || filter === null) return undefined;
  const at = [...path, "filter"];
  return lowerFilter(target, filterFromIds(target, filter, at), { form: "wire", limits: target.limits, path: at });
}

/**
 * Returns the first rows of a page. A page from the end stays whole, because its first rows are known only when all of
 * them are.
 */
export function limitPage(page: Page, rows: number): Page {
  return rows >= page.size || page.fromEnd === true ? page : { ...page, size: rows };
}
