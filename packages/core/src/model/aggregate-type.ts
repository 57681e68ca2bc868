import { AGGREGATE_FUNCTIONS, type AggregateFunction } from "../definition/aggregate-functions.ts";
import { OPERATORS } from "../definition/operators.ts";
import type { WireType } from "./wire-type.ts";

/** The digits that an average of decimals has in addition to those of its values. */
const MORE_DIGITS = 6;
/** The digits of a sum or an average of decimals that a condition can compare with. */
const MAX_DIGITS = 80;
const MAX_SCALE = 40;

/**
 * Returns the type of a function over values of a type (docs/adr/0051); undefined if they don't have the function. The
 * result is null if there are no values.
 */
export function aggregateType(name: AggregateFunction, type: WireType): WireType | undefined {
  if (name === "min" || name === "max") return isOrdered(type) ? { ...type, nullable: true } : undefined;
  if (type.kind === "decimal") {
    const scale = name === "sum" ? type.scale : Math.min(type.scale + MORE_DIGITS, MAX_SCALE);
    return { kind: "decimal", nullable: true, precision: MAX_DIGITS, scale };
  }
  const { kind } = type;
  if (kind === "number") return { kind, nullable: true };
  if (kind !== "integer" && kind !== "bigint") return undefined;
  if (name === "avg") return { kind: "number", nullable: true };
  return kind === "bigint" ? { kind, nullable: true } : { kind, nullable: true, wide: true };
}

/** Returns the functions that values of a type have. */
export function functionsOf(type: WireType): readonly AggregateFunction[] {
  return AGGREGATE_FUNCTIONS.filter((name) => aggregateType(name, type) !== undefined);
}

function isOrdered({ kind }: WireType): boolean {
  return OPERATORS.lt.kinds.some((known) => known === kind);
}

/** Whether rows can be grouped by values of a type. */
export function isGroupable({ kind }: WireType): boolean {
  return OPERATORS.eq.kinds.some((known) => known === kind);
}
