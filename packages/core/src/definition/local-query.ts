/** Set at most one of `after`, `before` and `offset`. */
export interface PageRequest {
  readonly size?: number;
  readonly after?: string;
  readonly before?: string;
  readonly offset?: number;
}

/** Options of a local call. `select`: the fields and relations to return. Default: all fields. */
export interface CallOptions<Select> {
  readonly select?: Select;
  readonly signal?: AbortSignal;
}

export interface DeleteOptions {
  /**
   * The versions that the row may have, in the form of an `ETag` without its quotes; `*` allows any version. Otherwise
   * the call fails with PRECONDITION_FAILED.
   */
  readonly ifMatch?: string | readonly string[];
  readonly signal?: AbortSignal;
}

/** Options of a local call that writes all matching rows. */
export interface BulkOptions<Search = string> extends DeleteOptions {
  /** Words that must all occur in the searched fields. With `search`, the filter may be empty. */
  readonly search?: Search;
}

/** Options of a local call that changes a row. */
export interface WriteOptions<Select> extends CallOptions<Select>, DeleteOptions {}

/** The rows of a to-many relation. `sort`: `price` ascending, `-price` descending; the key is always the last criterion. */
export interface RelationQuery<Filter, Sort, Select, Search = string> {
  readonly filter?: Filter;
  /** Words that must all occur in the searched fields. BAD_REQUEST unless the resource has `search`. */
  readonly search?: Search;
  readonly sort?: readonly Sort[];
  readonly page?: PageRequest;
  readonly select?: Select;
}

/** Selects groups of the related rows instead of the rows. Then `select` isn't allowed. */
export interface RelationGroups<Measure, Group> {
  /** Values to compute from the related rows: `["count", "avg.price"]`. */
  readonly aggregate?: readonly Measure[];
  /** Values by which the related rows are grouped: `["genre", "createdAt.month"]`. */
  readonly group?: readonly Group[];
}

/** Options of a local list. */
export interface ListOptions<Filter, Sort, Select, Search = string>
  extends RelationQuery<Filter, Sort, Select, Search> {
  /**
   * Whether to count all matching rows. Counting stops at `limits.query.count`. `"exact"` counts without a limit;
   * BAD_REQUEST unless the resource has `exactCount: true`. Default: false.
   */
  readonly count?: boolean | "exact";
  readonly signal?: AbortSignal;
}

/** Selects the changes to watch. */
export interface WatchOptions<Id, Filter, Select> extends CallOptions<Select> {
  readonly on?: readonly ("created" | "updated" | "deleted")[];
  readonly id?: Id;
  readonly filter?: Filter;
}

/** One page of a list. */
export interface LocalPage<Item> {
  readonly items: Item[];
  /** Number of all matching rows, if `count` was passed. */
  readonly total?: number;
  /** False if counting stopped at `limits.query.count`, so there are at least `total` rows. Set if `total` is. */
  readonly totalIsExact?: boolean;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** One change, with the row as the subscriber may see it. */
export interface LocalChange<Item> {
  readonly id: string;
  readonly kind: "created" | "updated" | "deleted";
  readonly item: Item;
}

/** A row of the initial state, sent if `initial` was set. */
export interface LocalCurrent<Item> {
  readonly kind: "current";
  readonly item: Item;
}

/** A page that is kept current. It has no cursors, because its rows change. */
export type LivePage<Item> = Omit<LocalPage<Item>, "startCursor" | "endCursor">;
