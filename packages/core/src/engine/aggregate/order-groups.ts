import type { ResourceModel } from "../../model/model.ts";
import type { GroupSortTerm } from "../../operation/aggregation.ts";
import { compareWithNulls } from "../../store/memory/order.ts";
import type { Position } from "../../store/store.ts";
import type { WireType } from "../../model/wire-type.ts";
import type { GroupValues } from "./read-measures.ts";

/** A total order of groups. */
export interface GroupOrder {
  readonly length: number;
  readonly compare: (a: GroupValues, b: GroupValues) => number;
  readonly positionOf: (group: GroupValues) => Position;
  /** Returns a number below 0 if the group sorts before the position. */
  readonly compareTo: (group: GroupValues, position: Position) => number;
}

/** Groups have distinct values of their terms, so appending the terms makes the order total. */
export function orderGroups(
  { aggregates }: ResourceModel,
  sort: readonly GroupSortTerm[],
  terms: readonly string[],
): GroupOrder {
  const missing = terms.filter((term) => !sort.some(({ name }) => name === term));
  const all = [...sort, ...missing.map((name) => ({ name, descending: false }))].map(({ name, descending }) => {
    const { type } = (aggregates.measures.get(name) ?? aggregates.groups.get(name)) as { readonly type: WireType };
    return { name, compare: compareWithNulls(type, descending) };
  });
  return {
    length: all.length,
    positionOf: (group) => all.map(({ name }) => group[name] ?? null),
    compare(a, b) {
      for (const { name, compare } of all) {
        const difference = compare(a[name] ?? null, b[name] ?? null);
        if (difference !== 0) return difference;
      }
      return 0;
    },
    compareTo(group, position) {
      for (const [at, { name, compare }] of all.entries()) {
        const difference = compare(group[name] ?? null, position[at] ?? null);
        if (difference !== 0) return difference;
      }
      return 0;
    },
  };
}
