import type { CallsOf, OwnCalls } from "./local.ts";
import type { Principal } from "./principal.ts";
import type { AnyResource } from "./resource.ts";
import type { ResourceTypes } from "./resource-types.ts";
import type { RowStore, RowStores } from "./row-store.ts";
import type { UntypedCalls } from "./untyped-calls.ts";

/** Returns the calls of a resource: typed for `locals(author)`, untyped for `locals("author")`. */
export interface Locals {
  <R extends AnyResource>(resource: R): CallsOf<R>;
  (resource: string): UntypedCalls;
}

/** Untyped if the types of the resource are unknown. */
export type LocalOf<Types> = [Types] extends [never]
  ? UntypedCalls
  : Types extends ResourceTypes
    ? OwnCalls<Types>
    : UntypedCalls;

/**
 * Passed to actions and hooks. All calls and writes are part of the operation's transaction if the store supports
 * transactions: they are committed or rolled back with it, and their events are sent after the commit.
 */
export interface CodeContext<Row, Id, Types> {
  /** The caller of the operation. */
  readonly principal: Principal | null;
  /**
   * Calls for this resource as the caller, like those of `api.as(principal)`: access rules, hooks and limits apply, and
   * each call is charged. Use it unless the code must do more than its caller may.
   */
  readonly local: LocalOf<Types>;
  /** Returns such calls for another resource: `locals(author)`. Throws for a resource that isn't part of the API. */
  readonly locals: Locals;
  /** The rows of this resource. No access rule applies: the code itself must check what it does for the caller. */
  readonly store: RowStore<Row, Id>;
  /** Returns the rows of another resource, without access rules. Throws for a resource that isn't part of the API. */
  readonly stores: RowStores;
  /** Aborts when the client disconnects or the operation times out. */
  readonly signal: AbortSignal;
}
