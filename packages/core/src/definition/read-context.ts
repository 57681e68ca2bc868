import type { LocalOf } from "./code-context.ts";
import type { IdOf } from "./fields.ts";
import type { CallsOf } from "./local.ts";
import type { Principal } from "./principal.ts";
import type { AnyResource, TraitOf, TypesOf } from "./resource.ts";
import type { RowStore } from "./row-store.ts";
import type { UntypedCalls } from "./untyped-calls.ts";

/** The calls that read. */
type ReadCalls<Calls> = Pick<Calls, keyof Calls & ("list" | "get" | "aggregate" | "queries")>;

/** Returns the calls of a resource that read: typed for `locals(author)`, untyped for `locals("author")`. */
export interface ReadLocals {
  <R extends AnyResource>(resource: R): ReadCalls<CallsOf<R>>;
  (resource: string): ReadCalls<UntypedCalls>;
}

/** The rows of one resource, for trusted code that only reads. No access rule applies. */
export type ReadOnlyRowStore<Row, Id> = Pick<RowStore<Row, Id>, "get" | "list">;

/** Returns the rows of a resource: typed for `stores(author)`, untyped for `stores("author")`. */
export interface ReadOnlyRowStores {
  <R extends AnyResource>(
    resource: R,
  ): ReadOnlyRowStore<TypesOf<R>["row"], IdOf<TypesOf<R>["row"], TraitOf<R, "key", "id">>>;
  (resource: string): ReadOnlyRowStore<Record<string, unknown>, unknown>;
}

/** Passed to queries: the context of actions without its writes. Attempts to write throw an error. */
export interface ReadContext<Row, Id, Types> {
  /** The caller of the operation. A response whose query reads it is private. */
  readonly principal: Principal | null;
  /** Calls for this resource as the caller: access rules, hooks and limits apply, and each call is charged. */
  readonly local: ReadCalls<LocalOf<Types>>;
  /** Returns such calls for another resource: `locals(author)`. Throws for a resource that isn't part of the API. */
  readonly locals: ReadLocals;
  /** The rows of this resource. No access rule applies: the code itself must check what it shows to the caller. */
  readonly store: ReadOnlyRowStore<Row, Id>;
  /** Returns the rows of another resource, without access rules. Throws for a resource that isn't part of the API. */
  readonly stores: ReadOnlyRowStores;
  /** Aborts when the client disconnects or the operation times out. */
  readonly signal: AbortSignal;
}
