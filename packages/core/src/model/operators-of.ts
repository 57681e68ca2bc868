import { OPERATORS, type Operator } from "./operators.ts";
import type { WireType } from "./wire-type.ts";

const EQUALITY: readonly Operator[] = ["eq", "ne", "in", "notIn", "isNull"];
const ORDERED: readonly Operator[] = [...EQUALITY, "lt", "lte", "gt", "gte", "between"];
const TEXT: readonly Operator[] = OPERATORS.filter((operator) => !operator.startsWith("has"));
const LIST: readonly Operator[] = ["has", "hasSome", "hasEvery", "isNull"];
const OPAQUE: readonly Operator[] = ["isNull"];

const BY_KIND: Readonly<Record<WireType["kind"], readonly Operator[]>> = {
  string: TEXT,
  email: TEXT,
  url: TEXT,
  uuid: EQUALITY,
  enum: EQUALITY,
  boolean: EQUALITY,
  duration: EQUALITY,
  date: ORDERED,
  datetime: ORDERED,
  time: ORDERED,
  integer: ORDERED,
  number: ORDERED,
  bigint: ORDERED,
  list: LIST,
  json: OPAQUE,
  object: OPAQUE,
};

/** Returns the filter operators of a type (section 5 of the wire contract). */
export function operatorsOf(type: WireType): readonly Operator[] {
  // Databases don't agree on the equality of objects and lists.
  if (type.kind === "list" && (type.item.kind === "list" || BY_KIND[type.item.kind] === OPAQUE)) return OPAQUE;
  return BY_KIND[type.kind];
}
