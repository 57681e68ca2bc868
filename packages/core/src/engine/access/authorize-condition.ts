import type { ResourceModel } from "../../model/model.ts";
import { ALWAYS, andFilters, type Filter } from "../../operation/filter.ts";
import type { Search } from "../../operation/search.ts";
import type { OperationContext } from "../operation-context.ts";
import { authorizeFilter } from "./authorize-filter.ts";
import { authorizeSearch } from "./authorize-search.ts";

/** A condition of the caller with the caller's rights applied. */
export interface AuthorizedCondition {
  readonly filter: Filter;
  /** The condition that cursors are bound to. It doesn't contain rights to rows. */
  readonly asked: Filter | undefined;
}

/** Authorizes a filter, a search, or both. */
export async function authorizeCondition(
  context: OperationContext,
  resource: ResourceModel,
  { filter, search }: { readonly filter?: Filter | undefined; readonly search?: Search | undefined },
): Promise<AuthorizedCondition> {
  const own = filter && (await authorizeFilter(context, resource, filter));
  const found = search && (await authorizeSearch(context, resource, search));
  return {
    filter: andFilters(own, found?.filter) ?? ALWAYS,
    asked: found === undefined ? filter : andFilters(filter, found.filter),
  };
}
