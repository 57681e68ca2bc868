import type { IdOf } from "./fields.ts";
import type { HistoryOf } from "./history-entry.ts";
import type { LocalActions } from "./local-actions.ts";
import type { AggregateOptions, GroupName, GroupOf, LocalGroups, MeasureName } from "./local-aggregate.ts";
import type { QueryTypes, SearchText } from "./local-filter.ts";
import type { LocalQueries } from "./local-queries.ts";
import type { CreateInput, ReplaceInput, UpdateInput, UpdateManyInput } from "./local-input.ts";
import type {
  BulkOptions,
  CallOptions,
  DeleteOptions,
  ListOptions,
  LocalChange,
  LocalCurrent,
  LocalPage,
  WatchOptions,
  WriteOptions,
} from "./local-query.ts";
import type { Named } from "./local-relation.ts";
import type { Select, SelectResult, VisibleRow } from "./local-select.ts";
import type { ResourceTypes } from "./resource-types.ts";
import type { AnyResource, RelationsOf, TraitOf, TypesOf } from "./resource.ts";
import type { TypeMistake } from "./type-error.ts";

/** Typed calls for each resource of an API. */
export type Local<All extends AnyResource> = { readonly [R in All as R["name"]]: LocalResource<R["name"], All> };

/** Typed calls that bypass the access rules, so that no row is hidden from them. */
export type SystemLocal<All extends AnyResource> = { readonly [R in All as R["name"]]: Calls<R, All, true> };

/**
 * Typed calls in process, through the same engine and rules as REST and GraphQL. Every method throws `BifocalError`.
 */
export type LocalResource<Name extends string, All extends AnyResource> = Calls<Named<All, Name>, All>;

/** The calls of a resource alone, for code that doesn't know the API. The types of related rows are unknown. */
export type CallsOf<R extends AnyResource> = Omit<Calls<R, R>, "watch">;

/** The calls of a resource within its own definition. */
export type OwnCalls<T extends ResourceTypes> = CallsOf<{
  readonly "~bifocal": "resource";
  readonly name: string;
  readonly "~types"?: T;
  readonly config: object;
}>;

/** `null` if a write can return no row, because its caller can't read it; otherwise `never`. */
export type Hidden<R extends AnyResource, IsSystem> = IsSystem extends true
  ? never
  : TraitOf<R, "hides"> extends never
    ? never
    : null;

/** The option of reads that show deleted rows. */
export type Deleted<R extends AnyResource> = [TraitOf<R, "restores">] extends [never]
  ? unknown
  : { readonly deleted?: "only" | "with" };

type Restore<R extends AnyResource> = [TraitOf<R, "restores">] extends [never]
  ? TypeMistake<`'${R["name"]}' has no softDelete, so that its rows can't be restored.`>
  : (id: Id<R>) => Promise<VisibleRow<R> | null>;

export type Id<R extends AnyResource> = IdOf<TypesOf<R>["row"], TraitOf<R, "key", "id">>;

export type ManyToManyName<R extends AnyResource> = {
  [K in keyof RelationsOf<R>]: RelationsOf<R>[K] extends { kind: "manyToMany" } ? K : never;
}[keyof RelationsOf<R>];

// A type and not an interface: editors show the name of an interface, with all of its arguments, before each method.
export type Calls<R extends AnyResource, All extends AnyResource, IsSystem = false> = {
  list<const S = undefined>(
    query?: ListOptions<QueryTypes<R, All>["filter"], QueryTypes<R, All>["sort"], Select<R, All, S>, SearchText<R>> &
      Deleted<R>,
  ): Promise<LocalPage<SelectResult<R, All, S>>>;
  /**
   * Computes values from groups of rows, or from all rows: `aggregate({ aggregate: ["count", "avg.price"], group:
   * ["genre"] })`.
   */
  aggregate<const Measures extends MeasureName<R> = never, const Groups extends GroupName<R> = never>(
    query: AggregateOptions<R, QueryTypes<R, All>["filter"], Measures, Groups, SearchText<R>>,
  ): Promise<LocalGroups<GroupOf<R, All, Measures, Groups>>>;
  /** Returns `null` if there is no such row or if it is hidden from the caller. */
  get<const S = undefined>(
    id: Id<R>,
    options?: CallOptions<Select<R, All, S>> & Deleted<R>,
  ): Promise<SelectResult<R, All, S> | null>;
  /** Like `replace` and `update`, returns `null` if the row was written and the caller can't read it. */
  create<const S = undefined>(
    data: CreateInput<R, All>,
    options?: CallOptions<Select<R, All, S>>,
  ): Promise<SelectResult<R, All, S> | Hidden<R, IsSystem>>;
  replace<const S = undefined>(
    id: Id<R>,
    data: ReplaceInput<R, All>,
    options?: WriteOptions<Select<R, All, S>>,
  ): Promise<SelectResult<R, All, S> | Hidden<R, IsSystem>>;
  update<const S = undefined>(
    id: Id<R>,
    changes: UpdateInput<R, All>,
    options?: WriteOptions<Select<R, All, S>>,
  ): Promise<SelectResult<R, All, S> | Hidden<R, IsSystem>>;
  delete(id: Id<R>, options?: DeleteOptions): Promise<void>;
  /**
   * Creates all rows or none, at most `bulk.create`. The result has `null` for each row that the caller can't read.
   */
  createMany<const S = undefined>(
    data: readonly CreateInput<R, All>[],
    options?: CallOptions<Select<R, All, S>>,
  ): Promise<(SelectResult<R, All, S> | Hidden<R, IsSystem>)[]>;
  /**
   * Applies the same changes to every matching row, or to none, and returns their ids. At most `bulk.update` rows.
   * `ifMatch`: the versions of these rows, one for each.
   */
  updateMany(
    filter: QueryTypes<R, All>["filter"],
    changes: UpdateManyInput<R>,
    options?: BulkOptions<SearchText<R>>,
  ): Promise<Id<R>[]>;
  /** Deletes every matching row, or none, and returns their ids. At most `bulk.delete` rows. */
  deleteMany(filter: QueryTypes<R, All>["filter"], options?: BulkOptions<SearchText<R>>): Promise<Id<R>[]>;
  link(id: Id<R>, relation: ManyToManyName<R>, targetId: unknown): Promise<void>;
  unlink(id: Id<R>, relation: ManyToManyName<R>, targetId: unknown): Promise<void>;
  /**
   * Yields the changes from this call on, each as the caller may see it. Ends with `return` or when the signal aborts;
   * throws `UNAVAILABLE` if changes were missed. Keep reading: unread changes are buffered.
   */
  watch<const S = undefined>(
    query?: WatchOptions<Id<R>, QueryTypes<R, All>["filter"], Select<R, All, S>> & {
      /** Resumes after the change with this id. */
      readonly after?: string;
    },
  ): AsyncIterableIterator<LocalChange<SelectResult<R, All, S>>>;
  /**
   * Yields the current rows first, at most one page of maximum size, and then their changes, without gaps or
   * duplicates.
   */
  watch<const S = undefined>(
    query: WatchOptions<Id<R>, QueryTypes<R, All>["filter"], Select<R, All, S>> & { readonly initial: true },
  ): AsyncIterableIterator<LocalChange<SelectResult<R, All, S>> | LocalCurrent<SelectResult<R, All, S>>>;
  /**
   * Restores a deleted row, with everything that was deleted together with it. Returns `null` if the caller can't read
   * it.
   */
  readonly restore: Restore<R>;
  /** Returns who changed the row and how, newest entry first. Throws NOT_FOUND if the row is hidden from the caller. */
  readonly history: HistoryOf<R, Id<R>, Deleted<R>>;
  readonly actions: LocalActions<R, Id<R>>;
  readonly queries: LocalQueries<R, All, Id<R>>;
};
