import type { FieldModel, ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import type { Sort } from "../../operation/sort.ts";
import type { Json } from "../../util/json.ts";
import type { Position } from "../store.ts";
import { firstWhere } from "./bucket.ts";
import { compareWithNulls, type Order } from "./order.ts";
import { rangeOf } from "./range.ts";

/** How rows with the same value in the first term are ordered among themselves. */
type Ties = "key" | "key descending" | "other";

/** Takes one row; `false` ends the walk. */
type Visit = (row: Row) => boolean;

/**
 * Walks a list that is sorted by the first term of a sort, from a position on, in the order of the whole sort: rows
 * that tie are ordered when they are reached.
 */
export function walk(
  resource: ResourceModel,
  sorted: readonly Row[],
  sort: Sort,
  order: Order,
  filter: Filter | undefined,
  start: Position | undefined,
  visit: Visit,
): void {
  const [first] = sort;
  if (first === undefined) return;
  const [field] = first.path;
  const compare = compareWithNulls((resource.fields.get(field) as FieldModel).type, false);
  const range = rangeOf(resource, field, sorted, filter);
  const ties = tiesOf(resource, sort);
  const value = start?.[0] ?? null;
  const valueAt = (index: number): Json => (sorted[index] as Row)[field] ?? null;
  // Only rows that tie with the position itself may still stand before it.
  const isBehind: Visit = (row) => start === undefined || order.compareTo(row, start) > 0;
  const visitGroup = (from: number, end: number): boolean => {
    if (end - from === 1 || ties === "key") {
      for (let index = from; index < end; index++) {
        const row = sorted[index] as Row;
        if (isBehind(row) && !visit(row)) return false;
      }
      return true;
    }
    const rows = sorted.slice(from, end);
    if (ties === "key descending") rows.reverse();
    else rows.sort(order.compare);
    return rows.every((row) => !isBehind(row) || visit(row));
  };

  let { start: from, end } = range;
  if (!first.descending) {
    if (start !== undefined)
      from = Math.max(
        from,
        firstWhere(sorted, (row) => compare(row[field] ?? null, value) >= 0),
      );
    // In this order the list stands already.
    if (ties === "key") {
      visitGroup(from, end);
      return;
    }
    while (from < end) {
      const own = valueAt(from);
      let next = from + 1;
      while (next < end && compare(valueAt(next), own) === 0) next++;
      if (!visitGroup(from, next)) return;
      from = next;
    }
    return;
  }
  if (start !== undefined)
    end = Math.min(
      end,
      firstWhere(sorted, (row) => compare(row[field] ?? null, value) > 0),
    );
  while (end > from) {
    const own = valueAt(end - 1);
    let next = end - 1;
    while (next > from && compare(valueAt(next - 1), own) === 0) next--;
    if (!visitGroup(next, end)) return;
    end = next;
  }
}

function tiesOf({ key }: ResourceModel, [first, ...others]: Sort): Ties {
  const rest = key.filter((name) => name !== first?.path[0]);
  const isKey =
    others.length === rest.length && others.every(({ path }, index) => path.length === 1 && path[0] === rest[index]);
  if (!isKey) return "other";
  if (others.every(({ descending }) => !descending)) return "key";
  return others.every(({ descending }) => descending) ? "key descending" : "other";
}
