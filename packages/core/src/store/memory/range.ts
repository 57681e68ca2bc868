import type { FieldModel, ResourceModel, Row } from "../../model/model.ts";
import type { CompareFilter, Filter } from "../../operation/filter.ts";
import type { Json } from "../../util/json.ts";
import { firstWhere } from "./bucket.ts";
import { conjunctsOf, isCompare } from "./conjuncts.ts";
import { compareWithNulls } from "./order.ts";

export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the part of an ascending list that satisfies the conditions on its field; the whole list if there are no
 * conditions.
 */
export function rangeOf(
  resource: ResourceModel,
  field: string,
  sorted: readonly Row[],
  filter: Filter | undefined,
): Range {
  let [start, end] = [0, sorted.length];
  const compare = compareWithNulls((resource.fields.get(field) as FieldModel).type, false);
  const valueOf = (row: Row): Json => row[field] ?? null;
  const from = (value: Json): number => firstWhere(sorted, (row) => compare(valueOf(row), value) >= 0);
  const behind = (value: Json): number => firstWhere(sorted, (row) => compare(valueOf(row), value) > 0);
  for (const conjunct of conjunctsOf(filter)) {
    if (!isCompare(conjunct) || conjunct.field !== field) continue;
    const bounds = boundsOf(conjunct);
    if (bounds === undefined) continue;
    const { least, most, open } = bounds;
    if (least !== undefined) start = Math.max(start, open ? behind(least) : from(least));
    // Missing values sort last, and no comparison matches them.
    end = Math.min(end, most === undefined ? from(null) : open ? from(most) : behind(most));
    if (conjunct.operator === "startsWith")
      end = Math.min(end, prefixEnd(sorted, field, conjunct.value as string, start));
  }
  return { start, end: Math.max(start, end) };
}

export function isRanged(filter: Filter): filter is CompareFilter {
  return isCompare(filter) && boundsOf(filter) !== undefined;
}

function boundsOf({ operator, value }: CompareFilter): { least?: Json; most?: Json; open: boolean } | undefined {
  switch (operator) {
    case "eq":
      return { least: value, most: value, open: false };
    case "gt":
      return { least: value, open: true };
    case "gte":
      return { least: value, open: false };
    case "lt":
      return { most: value, open: true };
    case "lte":
      return { most: value, open: false };
    case "between": {
      const [least, most] = value as readonly [Json, Json];
      return { least, most, open: false };
    }
    case "startsWith":
      return { least: value, open: false };
    default:
      return undefined;
  }
}

/** Texts with the same prefix are adjacent in the list. */
function prefixEnd(sorted: readonly Row[], field: string, prefix: string, start: number): number {
  let [low, high] = [start, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = (sorted[middle] as Row)[field];
    if (typeof value === "string" && value.startsWith(prefix)) low = middle + 1;
    else high = middle;
  }
  return low;
}
