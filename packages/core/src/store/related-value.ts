import type { ResourceModel, Row } from "../model/model.ts";
import { type Token, tokenReader } from "../model/reference.ts";
import type { WireType } from "../model/wire-type.ts";
import type { RelatedValue } from "../operation/filter.ts";
import type { Json } from "../util/json.ts";
import { averageFrom } from "./aggregate/average-from.ts";
import { groupRows } from "./aggregate/group-rows.ts";
import type { Evaluation, Predicate } from "./evaluation.ts";
import type { StoreGroup, StoreMeasure } from "./store.ts";

/** Returns what a store computes from the related rows of a row. An average follows from a sum and a count. */
export function measuresOf({ kind, field }: RelatedValue): readonly StoreMeasure[] {
  if (kind === "rows" || field === undefined) return [{ kind: "rows" }];
  if (kind !== "avg") return [{ kind, field }];
  return [
    { kind: "sum", field },
    { kind: "values", field },
  ];
}

/** Returns the value from its measures. */
export function relatedValueFrom({ kind, type }: RelatedValue, group: StoreGroup | undefined): Json {
  const [first = null, count = 0] = group?.values ?? [];
  return kind === "avg" ? averageFrom(type, first, Number(count)) : first;
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
    measures: measuresOf(value),
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
      result = relatedValueFrom(value, grouped.finish()[0]);
      known.set(token, result);
    }
    return result;
  };
}

/** Converts a value to the form in which it is compared and sorted. */
export function comparableValue(type: WireType, value: Json): Json {
  return type.kind === "integer" && typeof value === "string" ? Number(value) : value;
}
