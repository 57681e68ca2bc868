import type { Operator } from "../../../definition/operators.ts";

const WORDS: Readonly<Record<Operator, string>> = {
  eq: "is",
  ne: "is not",
  in: "is one of",
  notIn: "is none of",
  has: "has",
  hasSome: "has one of",
  hasEvery: "has all of",
  isNull: "is empty:",
  lt: "<",
  lte: "≤",
  gt: ">",
  gte: "≥",
  between: "is between",
  contains: "contains exactly",
  notContains: "does not contain",
  startsWith: "starts exactly with",
  endsWith: "ends exactly with",
  icontains: "contains",
  istartsWith: "starts with",
  iendsWith: "ends with",
  hasWord: "has the word",
  hasWordStart: "has a word that starts with",
};

/** Returns the words between a field and a value: `Price ≥ 10`. */
export function operatorWords(operator: Operator): string {
  return WORDS[operator];
}

export function isOperator(name: string): name is Operator {
  return Object.hasOwn(WORDS, name);
}
