import type { Row } from "../../model/model.ts";
import type { Evaluation } from "../evaluation.ts";
import type { Order } from "./order.ts";
import type { Reading } from "./reading.ts";
import { sortRows } from "./sort-rows.ts";

/**
 * Reads the first rows in an order. If only a few of many rows are needed, the others are dropped from time to time.
 */
export function firstRows(
  rows: readonly Row[],
  count: number,
  order: Order,
  evaluation: Evaluation,
): Reading<readonly Row[]> {
  let kept: Row[] = [];
  let last: Row | undefined;
  let at = 0;
  let sorting: Reading<readonly Row[]> | undefined;
  return () => {
    for (;;) {
      if (sorting !== undefined) {
        const sorted = sorting();
        if (sorted === undefined) return undefined;
        sorting = undefined;
        kept = sorted.slice(0, count);
        last = kept.length === count ? kept.at(-1) : undefined;
        if (at >= rows.length) return kept;
      }
      while (at < rows.length && kept.length < count * 4) {
        const row = rows[at++] as Row;
        if (last === undefined || order.compare(row, last) < 0) kept.push(row);
        if (evaluation.look()) return undefined;
      }
      sorting = sortRows(kept, order, evaluation);
    }
  };
}
