import type { Filter } from "../../operation/filter.ts";
import type { Sort } from "../../operation/sort.ts";
import type { Json } from "../../util/json.ts";
import type { MaybePromise } from "../store.ts";

/** A row as user code sees it. */
export type Value = Readonly<Record<string, unknown>>;

/** What a list is asked for. Filters and positions are in stored form (see `Filter`). */
export interface FunctionQuery {
  readonly filter: Filter | undefined;
  readonly sort: Sort;
  readonly limit: number;
  readonly offset: number | undefined;
  readonly after: readonly Json[] | undefined;
  readonly before: readonly Json[] | undefined;
  readonly fromEnd: boolean;
  readonly count: boolean;
  /** Counting may end here. */
  readonly countMost: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A page that a function has filtered, sorted and cut itself. */
export interface FunctionPage {
  readonly page: readonly object[];
  readonly more: boolean;
  readonly total?: number;
}

/** Functions over an existing service or ORM. Rows and ids are as user code sees them; only `list` is required. */
export interface ResourceFunctions {
  /** All rows that could match: what is too many is filtered, sorted and cut here. Or the very page, if it can. */
  readonly list: (query: FunctionQuery) => MaybePromise<readonly object[] | FunctionPage>;
  /** One row by its id; without it, `list` is asked. The id of a composite key is an object. */
  readonly get?: (id: unknown, signal: AbortSignal | undefined) => MaybePromise<object | null | undefined>;
  /** Several rows by their ids, in any order; without it, `get` is called for each. */
  readonly getMany?: (ids: readonly unknown[], signal: AbortSignal | undefined) => MaybePromise<readonly object[]>;
  /** Answers the row as it is kept. */
  readonly create?: (row: Value) => MaybePromise<object>;
  /** Answers the row as it is kept. */
  readonly update?: (id: unknown, changes: Value) => MaybePromise<object>;
  readonly remove?: (id: unknown) => MaybePromise<void>;
}
