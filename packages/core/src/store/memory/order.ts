import type { FieldModel, RelationModel, ResourceModel, Row } from "../../model/model.ts";
import { type Token, tokenReader } from "../../model/reference.ts";
import type { WireType } from "../../model/wire-type.ts";
import type { RelatedValue } from "../../operation/filter.ts";
import type { Sort, SortTerm } from "../../operation/sort.ts";
import type { Json } from "../../util/json.ts";
import { comparableValue } from "../related-value.ts";
import { compareText, compareValues } from "../compare-values.ts";
import { compileFilter, compileRelatedValue } from "../evaluate-filter.ts";
import type { Evaluation } from "../evaluation.ts";
import type { Position } from "../store.ts";
import type { Ranking } from "./field-order.ts";
import type { StoreView } from "./store-view.ts";

type CompareValues = (a: Json, b: Json) => number;

/** A total order of rows. */
export interface Order {
  readonly compare: (a: Row, b: Row) => number;
  readonly positionOf: (row: Row) => Position;
  /** Returns a number below 0 if the row sorts before the position. */
  readonly compareTo: (row: Row, position: Position) => number;
}

interface Term {
  readonly valueOf: (row: Row) => Json;
  readonly compare: CompareValues;
}

/** Creates the order of a sort. Its key terms make it total. */
export function createOrder(view: StoreView, resource: ResourceModel, sort: Sort, evaluation: Evaluation): Order {
  const terms = sort.map(({ path, descending, score, related, filter }): Term => {
    if (score !== undefined) return scoreTerm(score, descending, resource, evaluation);
    const [first, second] = path;
    const computed = related && comparableFrom(related, evaluation);
    if (second === undefined && related !== undefined && computed !== undefined)
      return { valueOf: computed, compare: compareWithNulls(related.type, descending) };
    if (second === undefined) {
      const { type } = resource.fields.get(first) as FieldModel;
      return { valueOf: (row) => row[first] ?? null, compare: compareWithNulls(type, descending) };
    }
    const relation = resource.relations.get(first) as RelationModel;
    const target = view.resourceOf(relation.target);
    const { type } = related ?? (target.fields.get(second) as FieldModel);
    const matches = filter && compileFilter(filter, target, evaluation);
    // Cached, because sorting reads each row many times.
    const known = new Map<Token | null, Json>();
    const tokenIn = tokenReader(relation.local);
    const valueOf = (row: Row): Json => {
      const token = tokenIn(row);
      let value = known.get(token);
      if (value === undefined) {
        const all = view.related(relation, row);
        const far = matches === undefined ? all[0] : all.find(matches);
        value = (far && computed !== undefined ? computed(far) : far?.[second]) ?? null;
        known.set(token, value);
      }
      return value;
    };
    return { valueOf, compare: compareWithNulls(type, descending) };
  });
  const positionOf = (row: Row): Position => terms.map(({ valueOf }) => valueOf(row));
  return {
    positionOf,
    compare(a, b) {
      for (const { valueOf, compare } of terms) {
        const difference = compare(valueOf(a), valueOf(b));
        if (difference !== 0) return difference;
      }
      return 0;
    },
    compareTo(row, position) {
      for (const [index, { valueOf, compare }] of terms.entries()) {
        const difference = compare(valueOf(row), position[index] ?? null);
        if (difference !== 0) return difference;
      }
      return 0;
    },
  };
}

function scoreTerm(
  score: NonNullable<SortTerm["score"]>,
  descending: boolean,
  resource: ResourceModel,
  evaluation: Evaluation,
): Term {
  const entries = score.map((entry) =>
    entry.map(({ filter, points }) => ({ matches: compileFilter(filter, resource, evaluation), points })),
  );
  const known = new Map<Row, number>();
  const valueOf = (row: Row): number => {
    let points = known.get(row);
    if (points === undefined) {
      points = entries.reduce((sum, entry) => sum + (entry.find(({ matches }) => matches(row))?.points ?? 0), 0);
      known.set(row, points);
    }
    return points;
  };
  return { valueOf, compare: (a, b) => (descending ? Number(b) - Number(a) : Number(a) - Number(b)) };
}

function comparableFrom(value: RelatedValue, evaluation: Evaluation): (row: Row) => Json {
  const compute = compileRelatedValue(value, evaluation);
  return (row) => comparableValue(value.type, compute(row));
}

/** Sorts missing values last in ascending and first in descending order. */
export function compareWithNulls(type: WireType, descending: boolean): CompareValues {
  const compare = comparerOf(type);
  const ascending: CompareValues = (a, b) => {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return compare(a, b);
  };
  return descending ? (a, b) => ascending(b, a) : ascending;
}

/** For text without surrogates, JavaScript's own order is the code point order. */
const compareAscii: CompareValues = (a, b) => ((a as string) < (b as string) ? -1 : a === b ? 0 : 1);

/** Returns how to rank the values other than `null` in ascending order. */
export function rankingOf({ kind }: WireType): Ranking {
  switch (kind) {
    case "boolean":
    case "integer":
    case "number":
    case "bigint":
    case "decimal":
      return Number;
    case "datetime":
      return (value) => Date.parse(value as string);
    case "list":
    case "object":
    case "json":
      return () => 0;
    default:
      return "text";
  }
}

function comparerOf(type: WireType): CompareValues {
  switch (type.kind) {
    case "integer":
    case "number":
      return (a, b) => (a as number) - (b as number);
    case "uuid":
    case "date":
    case "time":
      return compareAscii;
    case "string":
    case "email":
    case "url":
    case "enum":
      return (a, b) => compareText(a as string, b as string);
    default:
      return (a, b) => compareValues(type, a, b);
  }
}
