import type { LoadContext } from "../definition/load-context.ts";
import type { AggregateFunction } from "../definition/aggregate-functions.ts";
import type { Json } from "../util/json.ts";

export type Computation = FromComputation | LoadComputation | RelatedComputation | ChangesComputation;

/** A row as application code sees it, with only the fields in `from`. */
export type SourceRow = Readonly<Record<string, unknown>>;

/** Computes the value from fields of the same row. */
export interface FromComputation {
  readonly kind: "from";
  readonly from: readonly string[];
  readonly get: (row: SourceRow) => unknown;
  readonly toWire: (value: unknown) => Json;
}

/** Loads the values of many rows at once. */
export interface LoadComputation {
  readonly kind: "load";
  readonly from: readonly string[];
  readonly load: (rows: readonly SourceRow[], context: LoadContext) => unknown;
  readonly toWire: (value: unknown) => Json;
}

/** Computes the value from the related rows that the caller can read. */
export interface RelatedComputation {
  readonly kind: "related";
  readonly from: readonly [];
  readonly relation: string;
  readonly function: "count" | AggregateFunction;
  /** A field of the target. Absent for `count`. */
  readonly field: string | undefined;
  /** The condition of the definition, as it is written there. */
  readonly where: unknown;
}

/** Selects the changes of a history entry that the caller can read. */
export interface ChangesComputation {
  readonly kind: "changes";
  readonly from: readonly string[];
}
