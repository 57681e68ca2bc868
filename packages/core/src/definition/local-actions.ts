import type { Simplify } from "../util/simplify.ts";
import type { VisibleRow } from "./local-select.ts";
import type { AnyResource, TraitOf } from "./resource.ts";

/**
 * The methods that call a resource's actions. Without an `output`, an action on a row returns the changed row,
 * or `null` if the action deleted it or the caller can't read it any more.
 */
export type LocalActions<R extends AnyResource, Id> = Simplify<{
  readonly [K in keyof TraitOf<R, "actions", {}>]: TraitOf<R, "actions", {}>[K] extends { readonly on: "item" }
    ? (
        id: Id,
        ...input: ActionInput<TraitOf<R, "actions", {}>[K]>
      ) => Promise<ActionOutput<TraitOf<R, "actions", {}>[K], VisibleRow<R> | null>>
    : (
        ...input: ActionInput<TraitOf<R, "actions", {}>[K]>
      ) => Promise<ActionOutput<TraitOf<R, "actions", {}>[K], undefined>>;
}>;

export type ActionInput<A> = A extends { readonly input: infer Input }
  ? undefined extends Input
    ? [input?: Input]
    : [input: Input]
  : [];

export type ActionOutput<A, Default> = A extends { readonly output: infer Output } ? Output : Default;
