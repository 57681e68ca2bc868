import type { Operator } from "../definition/operators.ts";
import type { WireType } from "../model/wire-type.ts";
import type { Json } from "../util/json.ts";
import { compareValues, equalValues } from "./compare-values.ts";
import { isComparedAsDecimal } from "./decimal-fields.ts";
import { foldCase } from "./fold-case.ts";
import { hasWord } from "../model/search-words.ts";
import { canonicalMoment } from "../model/canonical-moment.ts";
import { canonicalJson } from "../util/canonical-json.ts";

type Test = (actual: Json) => boolean;
/** Creates the test for a value that isn't null. `type` is the field's type, `operand` the operand of the filter. */
type CreateTest = (type: WireType, operand: Json) => Test;

/**
 * The meaning of each operator for a value that isn't null. `OPERATORS` defines whether rows without a value match.
 */
export const OPERATOR_TESTS: Readonly<Record<Operator, CreateTest>> = {
  eq: equals,
  ne: opposite(equals),
  in: isMember,
  notIn: opposite(isMember),
  isNull: (_, operand) => () => operand === false,
  lt: (type, operand) => (actual) => compareValues(type, actual, operand) < 0,
  lte: (type, operand) => (actual) => compareValues(type, actual, operand) <= 0,
  gt: (type, operand) => (actual) => compareValues(type, actual, operand) > 0,
  gte: (type, operand) => (actual) => compareValues(type, actual, operand) >= 0,
  between(type, operand) {
    const [from, to] = operand as readonly [Json, Json];
    return (actual) => compareValues(type, actual, from) >= 0 && compareValues(type, actual, to) <= 0;
  },
  contains,
  notContains: opposite(contains),
  startsWith: (_, operand) => (actual) => (actual as string).startsWith(operand as string),
  endsWith: (_, operand) => (actual) => (actual as string).endsWith(operand as string),
  icontains: ignoringCase((operand, fold) => (actual) => fold(actual).includes(operand)),
  istartsWith: ignoringCase((operand, fold) => (actual) => fold(actual).startsWith(operand)),
  iendsWith: ignoringCase((operand, fold) => (actual) => fold(actual).endsWith(operand)),
  hasWord: (_, operand) => (actual) => hasWord(actual as string, operand as string, false),
  hasWordStart: (_, operand) => (actual) => hasWord(actual as string, operand as string, true),
  has(type, operand) {
    const item = itemOf(type);
    return (actual) => itemsOf(actual).some((one) => equalValues(item, one, operand));
  },
  hasSome(type, operand) {
    const isWanted = isMember(itemOf(type), operand);
    return (actual) => itemsOf(actual).some(isWanted);
  },
  hasEvery(type, operand) {
    const item = itemOf(type);
    const keysOf = (list: Json): ReadonlySet<unknown> => new Set(itemsOf(list).map((one) => equalityKey(item, one)));
    const wanted = [...keysOf(operand)];
    return (actual) => {
      const items = keysOf(actual);
      return wanted.length <= items.size && wanted.every((one) => items.has(one));
    };
  },
};

function equals(type: WireType, operand: Json): Test {
  return (actual) => equalValues(type, actual, operand);
}

function contains(_: WireType, operand: Json): Test {
  return (actual) => (actual as string).includes(operand as string);
}

/** Long lists are searched by key. */
function isMember(type: WireType, operand: Json): Test {
  const list = itemsOf(operand);
  if (list.length <= 8 || type.kind === "decimal" || isComparedAsDecimal(type))
    return (actual) => list.some((one) => equalValues(type, actual, one));
  const members = new Set(list.map((one) => equalityKey(type, one)));
  return (actual) => members.has(equalityKey(type, actual));
}

function opposite(create: CreateTest): CreateTest {
  return (type, operand) => {
    const matches = create(type, operand);
    return (actual) => !matches(actual);
  };
}

function ignoringCase(create: (operand: string, fold: (actual: Json) => string) => Test): CreateTest {
  return (_, operand) => {
    const folded = foldCase(operand as string);
    // Without `σ` the lower case gives the same result, and is faster.
    const fold = folded.includes("σ") ? foldCase : (text: string): string => text.toLowerCase();
    return create(folded, fold as (actual: Json) => string);
  };
}

function itemOf(type: WireType): WireType {
  return type.kind === "list" ? type.item : type;
}

function itemsOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/**
 * Returns a value for use in a `Set`. It is the same for two values of a type if and only if `equalValues` returns true
 * for them.
 */
function equalityKey(type: WireType, value: Json): string | number | bigint | boolean | null {
  if (typeof value === "object" && value !== null) return canonicalJson(value);
  if (type.kind === "bigint") return BigInt(value as string);
  if (type.kind === "datetime") return canonicalMoment(value as string) ?? value;
  return value;
}
