import type { AnyResource, RelationsOf, TypesOf } from "./resource.ts";
import type { TypeMistake } from "./type-error.ts";

type WrongRelations<R extends AnyResource, All extends AnyResource> = {
  [K in keyof RelationsOf<R> & string]: RelationsOf<R>[K] extends {
    target: infer Target extends string;
  }
    ? Target extends All["name"]
      ? UnknownField<R, K, RelationsOf<R>[K], Extract<All, { readonly name: Target }>>
      : `Relation '${K}' of '${R["name"]}' names '${Target}', which is not among the resources of this API.`
    : never;
}[keyof RelationsOf<R> & string];

/** The rows of the target must contain the key. */
type UnknownField<R extends AnyResource, K extends string, Rel, T extends AnyResource> = Rel extends {
  kind: "hasMany" | "hasOne";
  field: infer Field extends string;
}
  ? Field extends keyof TypesOf<T>["row"]
    ? never
    : `Relation '${K}' of '${R["name"]}' is over '${Field}', which is no field of '${T["name"]}'.`
  : never;

/** Each resource unchanged, or the error message for its relation whose target is unknown. */
export type CheckTargets<All extends readonly AnyResource[]> = {
  readonly [I in keyof All]: [WrongRelations<All[I], All[number]>] extends [never]
    ? All[I]
    : TypeMistake<WrongRelations<All[I], All[number]>>;
};
