import type { Row } from "../../model/model.ts";
import type { Directed } from "./directed.ts";
import { type Range, rangeOf } from "./range.ts";
import type { SortedRows } from "./sorted-rows.ts";

/**
 * Walks a list in the order of the whole sort or, if the sort is descending by its first field, against it. Each call
 * returns the next row behind the start, and `undefined` after the last one.
 */
export function walkWhole(sorted: SortedRows, directed: Directed): () => Row | undefined {
  const { start, end } = rangeBehind(sorted, directed);
  if (directed.sort[0]?.descending === true) {
    let index = end;
    return () => (index > start ? sorted.at(--index) : undefined);
  }
  let index = start;
  return () => (index < end ? sorted.at(index++) : undefined);
}

/** Returns the rows of a page if they are adjacent in the list; undefined if a filter or a stop may leave out some. */
export function sliceOf(sorted: SortedRows, directed: Directed): readonly Row[] | undefined {
  const { query, sort, stop, skip, take } = directed;
  if (query.filter !== undefined || stop !== undefined) return undefined;
  const { start, end } = rangeBehind(sorted, directed);
  if (sort[0]?.descending !== true) return sorted.slice(start + skip, Math.min(end, start + skip + take));
  const last = end - skip;
  return sorted.slice(Math.max(start, last - take), Math.max(start, last)).reverse();
}

/** Returns the part of the list that is behind the start and may match the filter. */
function rangeBehind(sorted: SortedRows, { query, sort, order, start }: Directed): Range {
  const range = rangeOf(query.resource, sorted.field, sorted, query.filter);
  if (start === undefined) return range;
  const first = start[0] ?? null;
  if (sort[0]?.descending === true) {
    const end = sorted.firstBehind(first, (row) => order.compareTo(row, start) <= 0);
    return { start: range.start, end: Math.max(range.start, Math.min(range.end, end)) };
  }
  const begin = sorted.firstBehind(first, (row) => order.compareTo(row, start) > 0);
  return { start: Math.min(range.end, Math.max(range.start, begin)), end: range.end };
}
