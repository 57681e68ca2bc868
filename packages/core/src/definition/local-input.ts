import type { Simplify } from "../util/simplify.ts";
import type { UnionToIntersection } from "../util/union-to-intersection.ts";
import type { Target } from "./local-relation.ts";
import type { Without } from "./pick-keys.ts";
import type { AnyResource, RelationsOf, TraitOf, TypesOf } from "./resource.ts";

type Input<R extends AnyResource> = TypesOf<R>["input"];

/** The input of a replace: all fields that can be changed. */
export type ReplaceInput<R extends AnyResource> = OmitStrictly<Input<R>, TraitOf<R, "immutable">>;

/** The input of an update: the fields to change. */
export type UpdateInput<R extends AnyResource> = Simplify<Partial<ReplaceInput<R>>>;

/** The input of a create: the fields of the row and, for relations with `creates`, the rows to create with it. */
export type CreateInput<R extends AnyResource, All extends AnyResource, Decided = never> = [
  Nested<R, Decided>,
] extends [never]
  ? OmitStrictly<Input<R>, Decided>
  : Simplify<
      OmitStrictly<Input<R>, Decided | Instead<R, Nested<R, Decided>>> & {
        readonly [K in Nested<R, Decided> as RelationsOf<R>[K] extends { kind: "belongsTo" } ? never : K]?: Along<
          R,
          All,
          K
        >;
      } & UnionToIntersection<EitherOf<R, All, Nested<R, Decided>>>["either" &
          keyof UnionToIntersection<EitherOf<R, All, Nested<R, Decided>>>]
    >;

/** The relations along which an input may create rows. The relation that `Decided` already determines is excluded. */
type Nested<R extends AnyResource, Decided> = {
  [K in keyof RelationsOf<R>]: RelationsOf<R>[K] extends { creates: infer Creates; field: infer Field }
    ? Creates extends 0
      ? never
      : RelationsOf<R>[K] extends { kind: "belongsTo" }
        ? Field extends Decided
          ? never
          : K
        : K
    : never;
}[keyof RelationsOf<R>];

/** Like `Omit`, but returns the same type if there is nothing to omit. */
type OmitStrictly<T, Names> = [Names] extends [never] ? T : Without<T, Names>;

/** The fields that a nested new row can replace. */
type Instead<R extends AnyResource, Names extends keyof RelationsOf<R>> = {
  [K in Names]: RelationsOf<R>[K] extends { kind: "belongsTo"; field: infer Field } ? Field : never;
}[Names];

/** For a `belongsTo` relation with `creates`: either the target's key or the input for a new target. */
type EitherOf<R extends AnyResource, All extends AnyResource, Names extends keyof RelationsOf<R>> = {
  [K in Names]: RelationsOf<R>[K] extends { kind: "belongsTo"; field: infer Field extends string }
    ? {
        readonly either:
          | (Pick<Input<R>, Field & keyof Input<R>> & { readonly [P in K]?: undefined })
          | ({ readonly [P in Field]?: undefined } & { readonly [P in K]: Along<R, All, K> });
      }
    : { readonly either: unknown };
}[Names];

type Along<R extends AnyResource, All extends AnyResource, K extends keyof RelationsOf<R>> = [
  Target<R, All, K>,
] extends [never]
  ? object
  : Target<R, All, K> extends infer T extends AnyResource
    ? RelationsOf<R>[K] extends { kind: "hasMany"; field: infer Field }
      ? readonly CreateInput<T, All, Field>[]
      : RelationsOf<R>[K] extends { kind: "hasOne"; field: infer Field }
        ? CreateInput<T, All, Field>
        : CreateInput<T, All>
    : never;
