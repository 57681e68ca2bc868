import type { FieldModel, RelationModel, ResourceModel, Row } from "../../model/model.ts";
import type { WireType } from "../../model/wire-type.ts";
import type { Sort } from "../../operation/sort.ts";
import type { Json } from "../../util/json.ts";
import { compareText, compareValues } from "../compare-values.ts";
import type { Position } from "../store.ts";
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
export function createOrder(view: StoreView, resource: ResourceModel, sort: Sort): Order {
  const terms = sort.map(({ path, descending }): Term => {
    const [first, second] = path;
    if (second === undefined) {
      const { type } = resource.fields.get(first) as FieldModel;
      return { valueOf: (row) => row[first] ?? null, compare: compareWithNulls(type, descending) };
    }
    const relation = resource.relations.get(first) as RelationModel;
    const { type } = view.resourceOf(relation.target).fields.get(second) as FieldModel;
    // Cached, because sorting reads each row many times.
    const known = new Map<Json, Json>();
    const valueOf = (row: Row): Json => {
      const local = row[relation.local] ?? null;
      let value = known.get(local);
      if (value === undefined) {
        value = view.related(relation, row)[0]?.[second] ?? null;
        known.set(local, value);
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
