import type { FieldModel, ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import type { Sort } from "../../operation/sort.ts";
import type { Position } from "../store.ts";
import { firstWhere } from "./bucket.ts";
import { compareWithNulls, type Order } from "./order.ts";
import { rangeOf } from "./range.ts";

/** How rows with the same value in the first term are ordered among themselves. */
type Ties = "key" | "key descending" | "other";

/**
 * Walks a list that is sorted by the first term of a sort, from a position on, in the order of the whole sort: rows
 * that tie are ordered when they are reached.
 */
export function* walk(
  resource: ResourceModel,
  sorted: readonly Row[],
  sort: Sort,
  order: Order,
  filter: Filter | undefined,
  start: Position | undefined,
): Generator<Row> {
  const [first] = sort;
  if (first === undefined) return;
  const [field] = first.path;
  const compare = compareWithNulls((resource.fields.get(field) as FieldModel).type, false);
  const range = rangeOf(resource, field, sorted, filter);
  const ties = tiesOf(resource, sort);
  const isBehind = (row: Row): boolean => start === undefined || order.compareTo(row, start) > 0;
  const value = start?.[0] ?? null;

  if (!first.descending) {
    let from = range.start;
    if (start !== undefined)
      from = Math.max(
        from,
        firstWhere(sorted, (row) => compare(row[field] ?? null, value) >= 0),
      );
    while (from < range.end) {
      const own = (sorted[from] as Row)[field] ?? null;
      let end = from + 1;
      while (end < range.end && compare((sorted[end] as Row)[field] ?? null, own) === 0) end++;
      for (const row of group(sorted, from, end, ties, order)) if (isBehind(row)) yield row;
      from = end;
    }
    return;
  }
  let end = range.end;
  if (start !== undefined)
    end = Math.min(
      end,
      firstWhere(sorted, (row) => compare(row[field] ?? null, value) > 0),
    );
  while (end > range.start) {
    const own = (sorted[end - 1] as Row)[field] ?? null;
    let from = end - 1;
    while (from > range.start && compare((sorted[from - 1] as Row)[field] ?? null, own) === 0) from--;
    for (const row of group(sorted, from, end, ties, order)) if (isBehind(row)) yield row;
    end = from;
  }
}

function group(sorted: readonly Row[], from: number, end: number, ties: Ties, order: Order): readonly Row[] {
  const rows = sorted.slice(from, end);
  if (rows.length < 2 || ties === "key") return rows;
  return ties === "key descending" ? rows.reverse() : rows.sort(order.compare);
}

function tiesOf({ key }: ResourceModel, [first, ...others]: Sort): Ties {
  const rest = key.filter((name) => name !== first?.path[0]);
  const isKey =
    others.length === rest.length && others.every(({ path }, index) => path.length === 1 && path[0] === rest[index]);
  if (!isKey) return "other";
  if (others.every(({ descending }) => !descending)) return "key";
  return others.every(({ descending }) => descending) ? "key descending" : "other";
}
