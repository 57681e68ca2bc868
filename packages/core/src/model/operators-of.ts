import { type FilterKind, OPERATOR_NAMES, OPERATORS, type Operator } from "../definition/operators.ts";
import type { WireType } from "./wire-type.ts";

/** Returns the operators that a filter can use on a value of this type. */
export function operatorsOf(type: WireType): readonly Operator[] {
  // Databases disagree about when two objects or two lists are equal.
  if (type.kind === "list" && !operatorsOfKind(type.item.kind).includes("eq")) return operatorsOfKind("json");
  return operatorsOfKind(type.kind);
}

function operatorsOfKind(kind: FilterKind): readonly Operator[] {
  return OPERATOR_NAMES.filter((operator) => OPERATORS[operator].kinds.some((known) => known === kind));
}
