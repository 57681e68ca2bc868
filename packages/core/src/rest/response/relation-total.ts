import type { RelationSelection } from "../../operation/selection.ts";
import type { PageSummary } from "../../operation/visible-rows.ts";

/** Number of all rows of an embedded list. */
export interface RelationTotal {
  readonly total: number;
  /** False if counting stopped at the limit, so there are at least `total` rows. */
  readonly isExact: boolean;
}

/** Returns the total of an embedded list if the request counts it. */
export function relationTotal({ count }: RelationSelection, page: PageSummary): RelationTotal | undefined {
  if (count === undefined || count === false || page.total === undefined) return undefined;
  return { total: page.total, isExact: page.totalIsExact !== false };
}

/**
 * Adds the total beside the list that it belongs to. No field or relation can have such a name (compare OData JSON 4.01
 * §4.5.5).
 */
export function writeTotal(row: Record<string, unknown>, relation: string, { total, isExact }: RelationTotal): void {
  row[`${relation}@count`] = total;
  if (!isExact) row[`${relation}@countIsExact`] = false;
}
