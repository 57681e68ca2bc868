import type { Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";

/** The order of a list: by the values of a field, and equal values by other fields, of which the last are the key. */
export interface FieldOrder {
  readonly field: string;
  /** The fields that `compareTies` reads. */
  readonly tieFields: readonly string[];
  readonly compareValues: (a: Json, b: Json) => number;
  readonly compareTies: (a: Row, b: Row) => number;
  readonly ranking: Ranking;
}

/**
 * How to rank values, so that most comparisons are of numbers: `text` by their characters, or by a function. A value
 * with a lower rank sorts first, and values with the same rank are compared.
 */
export type Ranking = "text" | ((value: Json) => number);

/** A row with its value in the sorted field. */
export interface ValuedRow {
  readonly value: Json;
  readonly row: Row;
}

export function compareRows({ compareValues, compareTies }: FieldOrder, a: ValuedRow, b: ValuedRow): number {
  return compareValues(a.value, b.value) || compareTies(a.row, b.row);
}

export function sortBy(rows: Iterable<Row>, { field, compareValues, compareTies }: FieldOrder): readonly Row[] {
  return [...rows].sort((a, b) => compareValues(a[field] ?? null, b[field] ?? null) || compareTies(a, b));
}
