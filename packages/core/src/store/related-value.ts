import type { ResourceModel, Row } from "../model/model.ts";
import { type Token, tokenReader } from "../model/reference.ts";
import type { WireType } from "../model/wire-type.ts";
import type { RelatedValue } from "../operation/filter.ts";
import type { Json } from "../util/json.ts";
import { groupRows } from "./aggregate/group-rows.ts";
import type { Evaluation, Predicate } from "./evaluation.ts";
import type { StoreMeasure } from "./store.ts";

/** Returns what a store computes from the related rows of a row. */
export function measureOf({ kind, field }: RelatedValue): StoreMeasure {
  return kind === "rows" || field === undefined ? { kind: "rows" } : { kind, field };
}

/**
 * Returns the function that computes a value from the related rows of a row that match. Rows with the same reference
 * have the same related rows, so each reference is computed once.
 */
export function readRelatedValue(
  value: RelatedValue,
  evaluation: Evaluation,
  matches: Predicate | undefined,
): (row: Row) => Json {
  const { relation } = value;
  const query = {
    resource: evaluation.model.resources.get(relation.target) as ResourceModel,
    groupBy: [],
    measures: [measureOf(value)],
  };
  const tokenIn = tokenReader(relation.local);
  const known = new Map<Token | null, Json>();
  return (row) => {
    const token = tokenIn(row);
    let result = known.get(token);
    if (result === undefined) {
      const grouped = groupRows(query);
      for (const one of token === null ? [] : evaluation.related(relation, row)) {
        evaluation.look();
        if (matches === undefined || matches(one)) grouped.add(one);
      }
      result = grouped.finish()[0]?.values[0] ?? null;
      known.set(token, result);
    }
    return result;
  };
}

/** Converts a value to the form in which it is compared and sorted. */
export function comparableValue(type: WireType, value: Json): Json {
  return type.kind === "integer" && typeof value === "string" ? Number(value) : value;
}
