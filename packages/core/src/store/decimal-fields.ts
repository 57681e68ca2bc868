import type { FieldModel } from "../model/model.ts";
import type { WireType } from "../model/wire-type.ts";

const DECIMALS = new WeakSet<WireType>();

/**
 * Declares that a store compares a text field as a number, because its column has a numeric type. Filters that the
 * engine evaluates itself, for events and rules, then give the same results.
 */
export function compareAsDecimal({ type }: FieldModel): void {
  DECIMALS.add(type);
}

export function isComparedAsDecimal(type: WireType): boolean {
  return DECIMALS.has(type);
}
