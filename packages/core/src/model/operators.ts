/** The words of a filter; no field or relation may be named so. Section 5 of the wire contract lists them by type. */
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

export const QUANTIFIERS = ["some", "every", "none"] as const;
export const CONNECTIVES = ["and", "or", "not"] as const;

export const RESERVED_NAMES: ReadonlySet<string> = new Set([...OPERATORS, ...QUANTIFIERS, ...CONNECTIVES]);
