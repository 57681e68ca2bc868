import type { Row } from "../../model/model.ts";
import { compileRelatedValue } from "../evaluate-filter.ts";
import type { Evaluation } from "../evaluation.ts";
import type { KeysQuery } from "../store.ts";

/** Returns copies of the rows with the values that a query computes from related rows. */
export function addRelatedValues(
  { relatedValues }: Pick<KeysQuery, "relatedValues">,
  rows: readonly Row[],
  evaluation: Evaluation,
): readonly Row[] {
  if (relatedValues === undefined || rows.length === 0) return rows;
  const compiled = relatedValues.map((value) => [value.name, compileRelatedValue(value, evaluation)] as const);
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(compiled.map(([name, valueOf]) => [name, valueOf(row)])),
  }));
}
