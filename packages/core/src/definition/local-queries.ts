import type { QueryTypes } from "./local-filter.ts";
import type { ListOptions, LocalPage } from "./local-query.ts";
import type { Select, SelectResult } from "./local-select.ts";
import type { AnyResource, TraitOf } from "./resource.ts";

/**
 * The methods that call a resource's queries: with the id for a query on a row, the input if it has one, and options.
 * Without an `output`, they take the options of a list and return a page of rows.
 */
export type LocalQueries<R extends AnyResource, All extends AnyResource, Id> = {
  readonly [K in keyof TraitOf<R, "queries", {}>]: TraitOf<R, "queries", {}>[K] extends {
    readonly output: infer Output;
  }
    ? (
        ...args: [...IdAndInput<TraitOf<R, "queries", {}>[K], Id>, options?: { readonly signal?: AbortSignal }]
      ) => Promise<Output>
    : <const S = undefined>(
        ...args: [
          ...IdAndInput<TraitOf<R, "queries", {}>[K], Id>,
          options?: ListOptions<QueryTypes<R, All>["filter"], QueryTypes<R, All>["sort"], Select<R, All, S>>,
        ]
      ) => Promise<LocalPage<SelectResult<R, All, S>>>;
};

type IdAndInput<Q, Id> = Q extends { readonly on: "item" } ? [id: Id, ...InputOf<Q>] : InputOf<Q>;

type InputOf<Q> = Q extends { readonly input: infer Input }
  ? {} extends Input
    ? [input?: Input]
    : [input: Input]
  : [];
