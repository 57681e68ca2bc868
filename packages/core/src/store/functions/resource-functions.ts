import type { Filter } from "../../operation/filter.ts";
import type { Sort } from "../../operation/sort.ts";
import type { Json } from "../../util/json.ts";
import type { MaybePromise } from "../store.ts";
import type { Key, ResourceModel, Row } from "../../model/model.ts";

/** A row with decoded values. */
type Value = Readonly<Record<string, unknown>>;

/** The parameters of a list. Filters and positions are in stored form (see `Filter`). */
export interface FunctionQuery {
  readonly filter: Filter | undefined;
  readonly sort: Sort;
  readonly limit: number;
  readonly offset: number | undefined;
  readonly after: readonly Json[] | undefined;
  readonly before: readonly Json[] | undefined;
  readonly fromEnd: boolean;
  readonly count: boolean;
  /** Counting may stop at this number. */
  readonly countMost: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A page that a function has filtered, sorted and cut itself. */
export interface FunctionPage {
  readonly page: readonly object[];
  readonly more: boolean;
  readonly total?: number;
}

/** Functions over an existing service or ORM. Rows and ids have decoded values. Only `list` is required. */
export interface ResourceFunctions {
  /**
   * Returns all rows that could match; the store then filters, sorts and cuts them. Or returns exactly the requested
   * page.
   */
  readonly list: (query: FunctionQuery) => MaybePromise<readonly object[] | FunctionPage>;
  /** Returns one row by its id. If it is absent, `list` is called. The id of a composite key is an object. */
  readonly get?: (id: unknown, signal: AbortSignal | undefined) => MaybePromise<object | null | undefined>;
  /** Returns several rows by their ids, in any order. If it is absent, `get` is called for each id. */
  readonly getMany?: (ids: readonly unknown[], signal: AbortSignal | undefined) => MaybePromise<readonly object[]>;
  /** Returns the row as stored. */
  readonly create?: (row: Value) => MaybePromise<object>;
  /** Returns the row as stored. */
  readonly update?: (id: unknown, changes: Value) => MaybePromise<object>;
  readonly delete?: (id: unknown) => MaybePromise<void>;
}

/** Converts the result of a function to a complete row in stored form. */
export function toRow(resource: ResourceModel, value: object): Row {
  const stored = resource.codec?.toStored(value as Value) ?? (value as Row);
  const row: Record<string, Json> = {};
  for (const { name, type } of resource.fields.values()) {
    const one = stored[name] ?? null;
    if (one === null && !type.nullable) throw new Error(`functionStore: a row of '${resource.name}' has no '${name}'.`);
    row[name] = one;
  }
  return row;
}

/** Converts stored fields to decoded values. */
export function toValue(resource: ResourceModel, row: Row): Value {
  if (resource.codec === undefined) return row;
  // Only includes existing fields: an update of one field must not write the others.
  const value = resource.codec.toValue(row);
  return Object.fromEntries(Object.keys(row).map((name) => [name, value[name]]));
}

/** Converts a key to its decoded value, or to an object if the key has several fields. */
export function toId(resource: ResourceModel, key: Key): unknown {
  const parts = Array.isArray(key) ? (key as readonly (string | number)[]) : [key as string | number];
  const values = resource.key.map((name, index): [string, unknown] => {
    const codec = resource.fields.get(name)?.codec;
    const part = parts[index] as string | number;
    return [name, codec === undefined ? part : codec.toValue(part)];
  });
  return values.length === 1 ? values[0]?.[1] : Object.fromEntries(values);
}
