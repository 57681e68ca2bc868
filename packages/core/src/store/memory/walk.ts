import type { FieldModel, Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import type { Position } from "../store.ts";
import { type Directed, tiesOf } from "./directed.ts";
import { firstRows } from "./first-rows.ts";
import { compareWithNulls } from "./order.ts";
import { rangeOf } from "./range.ts";
import type { Reading } from "./reading.ts";
import type { SortedRows } from "./sorted-rows.ts";

/** Returned instead of a row to let other work run first. */
export const PAUSED = Symbol("paused");

/**
 * Walks a list that is sorted by the first term of a sort, from a position on, in the order of the whole sort. Rows
 * with equal values are sorted when they are reached. Each call returns the next row, and `undefined` after the last
 * one.
 */
export function walk(sorted: SortedRows, directed: Directed): () => Row | typeof PAUSED | undefined {
  const { query, sort, order, start, skip, take, matches, evaluation } = directed;
  const { resource, filter } = query;
  const [first] = sort;
  if (first === undefined) return () => undefined;
  const { descending } = first;
  const [field] = first.path;
  const ties = tiesOf(resource, sort);
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
    if (ties === "key" && !descending) {
      // The list already has this order.
      [at, end, low] = [low, high, high];
      return true;
    }
    const count = countTies(descending ? high - 1 : low, descending ? -1 : 1, high - low);
    const [least, most] = descending ? [high - count, high] : [low, low + count];
    if (descending) high = least;
    else low = most;
    if (ties === "other" && most - least > 1) ordering = orderTies(least, most);
    else if (ties === "key descending") [at, end, step] = [most - 1, least - 1, -1];
    else [at, end] = [least, most];
    tied = sorted;
    return true;
  }

  /** Counts the rows with the value of a row, in steps that double because most groups are small. */
  function countTies(index: number, direction: 1 | -1, max: number): number {
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
        if (evaluation.look()) return PAUSED;
      }
      if (!nextTies()) return undefined;
    }
  };
}

/**
 * Returns the rows of a page if they are adjacent in a sorted list; undefined if the list must be walked because of a
 * filter or equal values. Most pages are sorted by key.
 */
export function sliceOf(sorted: SortedRows, directed: Directed): readonly Row[] | undefined {
  const { isSlice, start, skip, take } = directed;
  if (!isSlice) return undefined;
  const from = (start === undefined ? 0 : firstBehind(sorted, directed, start)) + skip;
  return sorted.slice(from, from + take);
}

/** Returns the first index behind a position, in a list by the first term and the key. */
function firstBehind(sorted: SortedRows, { query, order }: Directed, start: Position): number {
  const compare = compareWithNulls((query.resource.fields.get(sorted.field) as FieldModel).type, false);
  const first = start[0] ?? null;
  return sorted.firstWhere((value, row) => {
    const difference = compare(value, first);
    return difference === 0 ? order.compareTo(row, start) > 0 : difference > 0;
  });
}
