import { AGGREGATE_FUNCTIONS } from "../../definition/aggregate-functions.ts";
import { type Measure, measureName } from "../../model/measure.ts";
import type { Group } from "../../operation/group.ts";
import type { Json } from "../../util/json.ts";
import type { GroupValues } from "./read-measures.ts";

/** Returns a function that creates the response form of a group, with these terms and measures. */
export function createGroup(terms: readonly string[], measures: readonly Measure[]): (values: GroupValues) => Group {
  const hasCount = measures.some((measure) => measure.function === "count");
  const functions = AGGREGATE_FUNCTIONS.flatMap((name) => {
    const own = measures.flatMap((measure) => {
      return measure.function === name ? [[measure.field, measureName(measure)] as const] : [];
    });
    return own.length === 0 ? [] : [[name, own] as const];
  });
  return (values) => {
    const group: Record<string, Json> = {
      group: Object.fromEntries(terms.map((term) => [term, values[term] ?? null])),
    };
    if (hasCount) group["count"] = values["count"] ?? 0;
    for (const [name, own] of functions) {
      group[name] = Object.fromEntries(own.map(([field, measure]) => [field, values[measure] ?? null]));
    }
    return group as unknown as Group;
  };
}
