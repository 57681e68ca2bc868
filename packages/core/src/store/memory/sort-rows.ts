import type { Row } from "../../model/model.ts";
import type { Evaluation } from "../evaluation.ts";
import type { Order } from "./order.ts";
import type { Reading } from "./reading.ts";

/** Number of rows that are sorted without a pause. */
const RUN = 1_024;

/** Sorts rows by merging, so that other work can run in between. */
export function sortRows(rows: readonly Row[], { compare }: Order, evaluation: Evaluation): Reading<readonly Row[]> {
  if (rows.length <= RUN) return () => [...rows].sort(compare);
  let runs: (readonly Row[])[] = [];
  let merged: (readonly Row[])[] = [];
  let at = 0;
  return () => {
    while (at < rows.length) {
      runs.push(rows.slice(at, at + RUN).sort(compare));
      at += RUN;
      if (evaluation.look(RUN)) return undefined;
    }
    while (runs.length > 1 || merged.length > 0) {
      if (runs.length === 0) [runs, merged] = [merged, []];
      const [first = [], second = []] = runs.splice(0, 2);
      merged.push(merge(first, second, compare));
      if (runs.length === 0 && merged.length === 1) return merged[0];
      if (evaluation.look(first.length + second.length)) return undefined;
    }
    return runs[0] ?? [];
  };
}

function merge(a: readonly Row[], b: readonly Row[], compare: Order["compare"]): readonly Row[] {
  const merged: Row[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [x, y] = [a[i] as Row, b[j] as Row];
    if (compare(x, y) <= 0) {
      merged.push(x);
      i++;
    } else {
      merged.push(y);
      j++;
    }
  }
  for (; i < a.length; i++) merged.push(a[i] as Row);
  for (; j < b.length; j++) merged.push(b[j] as Row);
  return merged;
}
