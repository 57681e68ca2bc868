import type { Simplify } from "../util/simplify.ts";
import type { HistoryOf } from "./history-entry.ts";
import type { Calls, Deleted, Hidden, Id, ManyToManyName } from "./local.ts";
import type { ActionInput, ActionOutput } from "./local-actions.ts";
import type { QueryTypes, SearchText } from "./local-filter.ts";
import type { ReplaceInput, UpdateInput } from "./local-input.ts";
import type {
  CallOptions,
  ListOptions,
  LivePage,
  LocalChange,
  LocalCurrent,
  LocalPage,
  WatchOptions,
} from "./local-query.ts";
import type { Select, SelectResult, VisibleRow } from "./local-select.ts";
import type { OperationName } from "./operation-names.ts";
import type { AnyResource, TraitOf } from "./resource.ts";

/** The styles of an API over HTTP. */
export type Style = "rest" | "graphql";

/**
 * Typed calls over HTTP for each resource of an API: `Client<typeof api>`. The calls are those that both styles offer,
 * or those of one style: `Client<typeof api, "rest">`.
 */
export type Client<Api, In extends Style = Style> = "~resources" extends keyof Api
  ? ClientFor<Extract<Api["~resources"], AnyResource>, In>
  : never;

type ClientFor<All extends AnyResource, In extends Style> = {
  readonly [R in All as R["name"]]: ClientCalls<R, All, In>;
};

/** The operations that one of the styles leaves out. */
type LeftOut<R extends AnyResource, In extends Style> =
  TraitOf<R, "offers", unknown> extends infer Offers
    ? { [S in In]: S extends keyof Offers ? Exclude<OperationName, Offers[S]> : never }[In]
    : never;

/** A call is left out with the operation that it needs. Aggregates belong to lists, and histories to single rows. */
type MethodsOf<Names> =
  | Names
  | ("get" extends Names ? "history" : never)
  | ("list" extends Names ? "aggregate" : never)
  | ("query" extends Names ? "queries" : never);

/** The calls of one resource over HTTP: those of `api.local`, without the operations that are left out. */
export type ClientCalls<R extends AnyResource, All extends AnyResource, In extends Style> = Omit<
  Omit<Calls<R, All>, keyof OwnCalls<R, All>> & OwnCalls<R, All>,
  MethodsOf<LeftOut<R, In>>
>;

/** A version that the row must have: a row that the client returned, the text of a version, or several. */
export type VersionOf = string | object | readonly (string | object)[];

interface VersionOptions {
  /**
   * Fails with PRECONDITION_FAILED unless the row has this version: a row as a call returned it, the text of an `ETag`
   * without its quotes, a list of them, or `*` for any version.
   */
  readonly ifMatch?: VersionOf;
  readonly signal?: AbortSignal;
}

interface SignalOption {
  readonly signal?: AbortSignal;
}

type OwnCalls<R extends AnyResource, All extends AnyResource> = {
  /**
   * Returns a page. With `live: true`, yields the page whenever its rows change, until `return` or until the signal aborts.
   * This needs the option `live` of `createClient`.
   */
  list<const S = undefined, L extends true | undefined = undefined>(
    query?: ListOptions<QueryTypes<R, All>["filter"], QueryTypes<R, All>["sort"], Select<R, All, S>, SearchText<R>> &
      Deleted<R> & { readonly live?: L },
  ): [L] extends [true]
    ? AsyncIterableIterator<LivePage<SelectResult<R, All, S>>>
    : Promise<LocalPage<SelectResult<R, All, S>>>;
  /** Like `update`, returns `null` if the row was written and the caller can't read it. */
  replace<const S = undefined>(
    id: Id<R>,
    data: ReplaceInput<R, All>,
    options?: CallOptions<Select<R, All, S>> & VersionOptions,
  ): Promise<SelectResult<R, All, S> | Hidden<R, false>>;
  update<const S = undefined>(
    id: Id<R>,
    changes: UpdateInput<R, All>,
    options?: CallOptions<Select<R, All, S>> & VersionOptions,
  ): Promise<SelectResult<R, All, S> | Hidden<R, false>>;
  delete(id: Id<R>, options?: VersionOptions): Promise<void>;
  /** Returns who changed the row and how, newest entry first. Throws NOT_FOUND if the row is hidden from the caller. */
  readonly history: HistoryOf<R, Id<R>, {}>;
  link(id: Id<R>, relation: ManyToManyName<R>, targetId: unknown, options?: SignalOption): Promise<void>;
  unlink(id: Id<R>, relation: ManyToManyName<R>, targetId: unknown, options?: SignalOption): Promise<void>;
  /**
   * Yields the changes from this call on, as the server sends them, and reconnects after a lost connection. Ends with
   * `return` or when the signal aborts.
   */
  watch<const S = undefined>(
    query?: WatchOptions<Id<R>, QueryTypes<R, All>["filter"], Select<R, All, S>> & {
      /** Resumes after the change with this id. */
      readonly after?: string;
      /** Yields the current rows first. */
      readonly initial?: boolean;
    },
  ): AsyncIterableIterator<ClientChange<SelectResult<R, All, S>, Id<R>>>;
  readonly actions: ClientActions<R, Id<R>>;
};

/**
 * One change of a watch. `left`: the row no longer matches, or the caller can't read it any more. `reset`: changes were
 * missed, so read the rows again.
 */
export type ClientChange<Item, Key> =
  | LocalChange<Item>
  | LocalCurrent<Item>
  | { readonly id: string; readonly kind: "left"; readonly key: Key }
  | { readonly id: string; readonly kind: "reset" };

type ClientActions<R extends AnyResource, Key> = Simplify<{
  readonly [K in keyof TraitOf<R, "actions", {}>]: TraitOf<R, "actions", {}>[K] extends { readonly on: "item" }
    ? (
        id: Key,
        ...input: InputAndOptions<TraitOf<R, "actions", {}>[K]>
      ) => Promise<ActionOutput<TraitOf<R, "actions", {}>[K], VisibleRow<R> | null>>
    : (
        ...input: InputAndOptions<TraitOf<R, "actions", {}>[K]>
      ) => Promise<ActionOutput<TraitOf<R, "actions", {}>[K], undefined>>;
}>;

/** Without an input, the options follow `undefined`, so that they have the same place in every action. */
type InputAndOptions<A> =
  ActionInput<A> extends [] ? [input?: undefined, options?: SignalOption] : [...ActionInput<A>, options?: SignalOption];
