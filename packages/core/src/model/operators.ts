/**
 * The filter operators. Fields and relations can't have these names. Section 5 of the wire contract lists them by type.
 */
export const OPERATORS = [
  "eq",
  "ne",
  "in",
  "notIn",
  "isNull",
  "lt",
  "lte",
  "gt",
  "gte",
  "between",
  "contains",
  "startsWith",
  "endsWith",
  "icontains",
  "istartsWith",
  "iendsWith",
  "has",
  "hasSome",
  "hasEvery",
] as const;

export type Operator = (typeof OPERATORS)[number];

/**
 * The way in which a store can find the rows that an operator matches. `lookup`: by a key or an index. `range`: by an
 * ordered index or another cheap comparison. `scan`: only by reading every row.
 */
export type OperatorAccess = "lookup" | "range" | "scan";

export const OPERATOR_ACCESS: Readonly<Record<Operator, OperatorAccess>> = {
  eq: "lookup",
  ne: "scan",
  in: "lookup",
  notIn: "scan",
  isNull: "range",
  lt: "range",
  lte: "range",
  gt: "range",
  gte: "range",
  between: "range",
  contains: "scan",
  startsWith: "range",
  endsWith: "scan",
  icontains: "scan",
  istartsWith: "scan",
  iendsWith: "scan",
  has: "scan",
  hasSome: "scan",
  hasEvery: "scan",
};

export const QUANTIFIERS = ["some", "every", "none"] as const;
export const CONNECTIVES = ["and", "or", "not"] as const;

export const RESERVED_NAMES: ReadonlySet<string> = new Set([...OPERATORS, ...QUANTIFIERS, ...CONNECTIVES]);
