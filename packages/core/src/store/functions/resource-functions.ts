import type { Filter } from "../../operation/filter.ts";
import type { Sort } from "../../operation/sort.ts";
import type { Json } from "../../util/json.ts";
import type { MaybePromise } from "../store.ts";

/** A row with decoded values. */
export type Value = Readonly<Record<string, unknown>>;

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
