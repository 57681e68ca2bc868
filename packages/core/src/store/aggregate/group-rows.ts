import type { FieldModel, RelationModel, ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import type { DatePart } from "../../definition/aggregate-functions.ts";
import type { WireType } from "../../model/wire-type.ts";
import type { Json } from "../../util/json.ts";
import { compareValues } from "../compare-values.ts";
import type { AggregateQuery, StoreGroup, StoreGroupTerm, StoreMeasure } from "../store.ts";
import { DecimalSum, IntegerSum, NumberSum } from "./exact-sum.ts";

/** Collects rows into groups. This is the reference for the meaning of aggregates. */
export interface GroupedRows {
  readonly add: (row: Row) => void;
  /** Number of groups so far. */
  readonly size: () => number;
  /** Returns the groups in any order. Without group terms, there is one, even without rows. */
  readonly finish: () => readonly StoreGroup[];
}

/** Computes one value of a group. */
interface Accumulator {
  readonly add: (row: Row) => void;
  readonly result: () => Json;
}

interface OpenGroup {
  readonly keys: readonly Json[];
  readonly values: readonly Accumulator[];
}

type GroupQuery = Pick<AggregateQuery, "resource" | "groupBy" | "measures">;

/** Returns the row that the relation of a term leads to. */
export type FollowTerm = (relation: RelationModel, filter: Filter | undefined) => (row: Row) => Row | undefined;

/** `follow` is needed for terms along relations. */
export function groupRows({ resource, groupBy, measures }: GroupQuery, follow?: FollowTerm): GroupedRows {
  const groups = new Map<Json, OpenGroup>();
  const terms = groupBy.map((term) => readTerm(term, follow));
  const factories = measures.map((measure) => accumulatorOf(resource, measure));
  const open = (token: Json, keys: readonly Json[]): OpenGroup => {
    const group = { keys, values: factories.map((create) => create()) };
    groups.set(token, group);
    return group;
  };
  const [first] = terms;
  const groupOf = (row: Row): OpenGroup => {
    if (first !== undefined && terms.length === 1) {
      const key = first(row);
      return groups.get(key) ?? open(key, [key]);
    }
    const keys = terms.map((read) => read(row));
    const token = JSON.stringify(keys);
    return groups.get(token) ?? open(token, keys);
  };
  if (first === undefined) open("[]", []);
  return {
    add(row) {
      for (const value of groupOf(row).values) value.add(row);
    },
    size: () => groups.size,
    finish: () =>
      [...groups.values()].map(({ keys, values }) => ({ keys, values: values.map((value) => value.result()) })),
  };
}

/** Parts are prefixes of the stored form, which is ISO 8601 in UTC. */
const PART_LENGTH: Readonly<Record<DatePart, number>> = { year: 4, month: 7, day: 10 };

/** Returns a part of a date or datetime in stored form. */
export function datePart(stored: string, part: DatePart): string {
  return stored.slice(0, PART_LENGTH[part]);
}

function readTerm({ relation, filter, ...term }: StoreGroupTerm, follow: FollowTerm | undefined): (row: Row) => Json {
  const read = readField(term);
  if (relation === undefined) return read;
  const followed = follow?.(relation, filter);
  return (row) => {
    if (followed === undefined) throw new Error(`Internal error: '${relation.name}' can't be followed.`);
    const related = followed(row);
    return related === undefined ? null : read(related);
  };
}

function readField({ field, part }: Pick<StoreGroupTerm, "field" | "part">): (row: Row) => Json {
  if (part === undefined) return (row) => row[field] ?? null;
  return (row) => {
    const value = row[field] ?? null;
    return value === null ? null : datePart(value as string, part);
  };
}

function accumulatorOf(resource: ResourceModel, measure: StoreMeasure): () => Accumulator {
  if (measure.kind === "rows") return () => countRows(() => true);
  const { kind, field } = measure;
  const { type } = resource.fields.get(field) as FieldModel;
  const valueOf = (row: Row): Json => row[field] ?? null;
  switch (kind) {
    case "values":
      return () => countRows((row) => valueOf(row) !== null);
    case "sum":
      return () => sumOf(valueOf, createSum(type));
    case "min":
      return () => extremeOf(valueOf, (a, b) => compareValues(type, a, b) < 0);
    case "max":
      return () => extremeOf(valueOf, (a, b) => compareValues(type, a, b) > 0);
  }
}

function createSum(type: WireType): NumberSum | IntegerSum | DecimalSum {
  if (type.kind === "decimal") return new DecimalSum(type.scale);
  return type.kind === "number" ? new NumberSum() : new IntegerSum();
}

function countRows(counts: (row: Row) => boolean): Accumulator {
  let count = 0;
  return {
    add(row) {
      if (counts(row)) count++;
    },
    result: () => count,
  };
}

function sumOf(
  valueOf: (row: Row) => Json,
  sum: { readonly add: (value: never) => void; readonly total: () => Json },
): Accumulator {
  let isEmpty = true;
  return {
    add(row) {
      const value = valueOf(row);
      if (value === null) return;
      isEmpty = false;
      sum.add(value as never);
    },
    result: () => (isEmpty ? null : sum.total()),
  };
}

function extremeOf(valueOf: (row: Row) => Json, isBetter: (a: Json, b: Json) => boolean): Accumulator {
  let best: Json = null;
  return {
    add(row) {
      const value = valueOf(row);
      if (value !== null && (best === null || isBetter(value, best))) best = value;
    },
    result: () => best,
  };
}
