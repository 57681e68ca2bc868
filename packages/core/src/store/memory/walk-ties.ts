import type { FieldModel, Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import type { Directed } from "./directed.ts";
import { firstRows } from "./first-rows.ts";
import { compareWithNulls } from "./order.ts";
import { rangeOf } from "./range.ts";
import type { Reading } from "./reading.ts";
import type { SortedRows } from "./sorted-rows.ts";

/** Returned instead of a row to let other work run first. */
export const PAUSED = Symbol("paused");

/**
 * Walks a list that is sorted by the first term of a sort, from a position on, in the order of the whole sort. Rows
 * with equal values are sorted when they are reached, and counted. Each call returns the next row, and `undefined`
 * after the last one.
 */
export function walkTies(
  sorted: SortedRows,
  directed: Directed,
  countTies: (count: number) => void,
): () => Row | typeof PAUSED | undefined {
  const { query, sort, order, ties, start, skip, take, matches, evaluation } = directed;
  const { resource, filter } = query;
  const [first] = sort;
  if (first === undefined) return () => undefined;
  const { descending } = first;
  const [field] = first.path;
  const compare = compareWithNulls((resource.fields.get(field) as FieldModel).type, false);
  const from = (value: Json): number => sorted.firstWhere((other) => compare(other, value) >= 0);
  const behind = (value: Json): number => sorted.firstWhere((other) => compare(other, value) > 0);
  // Only rows with the same first value as the position can still come before it.
  const isBehind = (row: Row): boolean => start === undefined || order.compareTo(row, start) > 0;

  let { start: low, end: high } = rangeOf(resource, field, sorted, filter);
  if (start !== undefined && !descending) low = Math.max(low, from(start[0] ?? null));
  if (start !== undefined && descending) high = Math.min(high, behind(start[0] ?? null));
  // The current group of rows with the same value: a range of the list, or a separately sorted list.
  let [at, end, step] = [0, 0, 1];
  let tied: SortedRows | readonly Row[] = sorted;
  let ordering: Reading<readonly Row[]> | undefined;

  /** Finds the next rows with the same value. */
  function nextTies(): boolean {
    if (low >= high) return false;
    const count = tiesAt(descending ? high - 1 : low, descending ? -1 : 1, high - low);
    const [least, most] = descending ? [high - count, high] : [low, low + count];
    if (descending) high = least;
    else low = most;
    if (ties === "other" && most - least > 1) ordering = orderTies(least, most);
    else if (ties === "key descending") [at, end, step] = [most - 1, least - 1, -1];
    else [at, end] = [least, most];
    tied = sorted;
    return true;
  }

  /** Returns the number of rows with the value of a row, in steps that double because most groups are small. */
  function tiesAt(index: number, direction: 1 | -1, max: number): number {
    const own = sorted.valueAt(index);
    const isTied = (distance: number): boolean => compare(sorted.valueAt(index + direction * distance), own) === 0;
    let [tiedUpTo, count] = [0, 1];
    while (count < max && isTied(count)) [tiedUpTo, count] = [count, count * 2];
    count = Math.min(count, max);
    while (count - tiedUpTo > 1) {
      const middle = (tiedUpTo + count) >>> 1;
      if (isTied(middle)) tiedUpTo = middle;
      else count = middle;
    }
    return count;
  }

  /** Sorts the matching rows of a group, up to the number that the page needs. */
  function orderTies(least: number, most: number): Reading<readonly Row[]> {
    const found: Row[] = [];
    let readFirst: Reading<readonly Row[]> | undefined;
    let index = least;
    countTies(most - least);
    return () => {
      while (index < most) {
        const row = sorted.at(index++);
        if (isBehind(row) && matches(row)) found.push(row);
        if (evaluation.look()) return undefined;
      }
      readFirst ??= firstRows(found, skip + take, order, evaluation);
      return readFirst();
    };
  }

  return () => {
    for (;;) {
      if (ordering !== undefined) {
        const rows = ordering();
        if (rows === undefined) return PAUSED;
        ordering = undefined;
        [tied, at, end] = [rows, 0, rows.length];
      }
      while (at !== end) {
        const row = tied.at(at) as Row;
        at += step;
        if (isBehind(row)) return row;
        countTies(1);
        if (evaluation.look()) return PAUSED;
      }
      if (!nextTies()) return undefined;
    }
  };
}
