import { groupTermName, measureName } from "../../model/measure.ts";
import type { ResourceModel } from "../../model/model.ts";
import type { Aggregation } from "../../operation/aggregation.ts";
import type { Page } from "../../operation/page.ts";
import type { Search } from "../../operation/search.ts";
import type { Sort } from "../../operation/sort.ts";
import { omitUndefined } from "../../util/omit-undefined.ts";
import { notExpressible } from "./not-expressible-error.ts";

type Words = Readonly<Record<string, unknown>>;

export function termsOfSort(sort: Sort): readonly string[] {
  return sort.map(({ path, descending }) => (descending ? "-" : "") + path.join("."));
}

export function searchText({ words, start }: Search): string {
  return [...words, start].join(" ");
}

/** Returns `page` for REST and the client. Undefined for the first page of the usual size. */
export function pageWords(resource: ResourceModel, { size, after, before, offset, fromEnd }: Page): Words | undefined {
  if (size === 0) notExpressible("Only GraphQL can request a page without rows.");
  if (after !== undefined && before !== undefined) notExpressible("Only GraphQL can combine 'after' and 'before'.");
  if (fromEnd === true && before === undefined)
    notExpressible("Only GraphQL can request the last rows without a cursor. Sort in the opposite order instead.");
  if (fromEnd !== true && before !== undefined)
    notExpressible("Only GraphQL can request the first rows before a cursor.");
  const words = omitUndefined({ size: size === resource.page.size ? undefined : size, after, before, offset });
  return Object.keys(words).length === 0 ? undefined : words;
}

/** Returns the arguments of a page in GraphQL. */
export function pageArguments(resource: ResourceModel, { size, after, before, offset, fromEnd }: Page): Words {
  const isUsual = size === resource.page.size && before === undefined;
  return {
    first: fromEnd === true || isUsual ? undefined : size,
    after,
    last: fromEnd === true ? size : undefined,
    before,
    offset,
  };
}

/** Returns the names of an aggregation, for all styles. */
export function aggregationNames({ measures, groupBy, sort }: Aggregation) {
  return {
    measures: measures.map(measureName),
    groups: groupBy.map(groupTermName),
    sort: sort.map(({ name, descending }) => (descending ? "-" : "") + name),
  };
}
