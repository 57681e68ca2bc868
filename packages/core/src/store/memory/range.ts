import type { Operator } from "../../definition/operators.ts";
import type { FieldModel, ResourceModel } from "../../model/model.ts";
import type { CompareFilter, Filter } from "../../operation/filter.ts";
import type { Json } from "../../util/json.ts";
import { conjunctsOf, isCompare } from "./conjuncts.ts";
import { compareWithNulls } from "./order.ts";
import type { SortedRows } from "./sorted-rows.ts";

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns the part of an ascending list in which all matches are. Without conditions on its field, that is the whole list. */
export function rangeOf(resource: ResourceModel, field: string, sorted: SortedRows, filter: Filter | undefined): Range {
  let [start, end] = [0, sorted.length];
  const compare = compareWithNulls((resource.fields.get(field) as FieldModel).type, false);
  const from = (value: Json): number => sorted.firstWhere((other) => compare(other, value) >= 0);
  const behind = (value: Json): number => sorted.firstWhere((other) => compare(other, value) > 0);
  // Texts with a prefix are adjacent, beginning at the prefix itself.
  const behindPrefix = (prefix: string): number =>
    sorted.firstWhere(
      (value) => compare(value, prefix) > 0 && !(typeof value === "string" && value.startsWith(prefix)),
    );
  for (const conjunct of conjunctsOf(filter)) {
    if (!isCompare(conjunct) || conjunct.field !== field) continue;
    const bounds = BOUNDS[conjunct.operator]?.(conjunct.value);
    if (bounds === undefined) continue;
    const { least, most, open } = bounds;
    if (least !== undefined) start = Math.max(start, open ? behind(least) : from(least));
    // Missing values come last, and these operators don't match them.
    end = Math.min(end, most === undefined ? from(null) : open ? from(most) : behind(most));
    if (conjunct.operator === "startsWith") end = Math.min(end, behindPrefix(conjunct.value as string));
  }
  return { start, end: Math.max(start, end) };
}

export function isRanged(filter: Filter): filter is CompareFilter {
  return isCompare(filter) && BOUNDS[filter.operator] !== undefined;
}

interface Bounds {
  readonly least?: Json;
  readonly most?: Json;
  /** Whether the bounds themselves don't match. */
  readonly open: boolean;
}

/** The operators that match one part of an ascending list. Others are tested row by row. */
const BOUNDS: Readonly<Partial<Record<Operator, (value: Json) => Bounds>>> = {
  eq: (value) => ({ least: value, most: value, open: false }),
  gt: (value) => ({ least: value, open: true }),
  gte: (value) => ({ least: value, open: false }),
  lt: (value) => ({ most: value, open: true }),
  lte: (value) => ({ most: value, open: false }),
  between(value) {
    const [least, most] = value as readonly [Json, Json];
    return { least, most, open: false };
  },
  startsWith: (value) => ({ least: value, open: false }),
};
