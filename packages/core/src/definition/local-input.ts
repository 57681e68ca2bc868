import type { Simplify } from "../util/simplify.ts";
import type { UnionToIntersection } from "../util/union-to-intersection.ts";
import type { IdOf } from "./fields.ts";
import type { Target } from "./local-relation.ts";
import type { Without } from "./pick-keys.ts";
import type { ChildWrites, FieldList, NamesIn } from "./relations.ts";
import type { AnyResource, RelationsOf, TraitOf, TypesOf } from "./resource.ts";

type Input<R extends AnyResource> = TypesOf<R>["input"];

type OwnReplaceInput<R extends AnyResource> = OmitStrictly<Input<R>, TraitOf<R, "immutable">>;

/** The input of an update of many rows: the fields to change. */
export type UpdateManyInput<R extends AnyResource> = Simplify<Partial<OwnReplaceInput<R>>>;

/** The input of a replace: all fields that can be changed and, for relations with `links`, the linked rows. */
export type ReplaceInput<R extends AnyResource, All extends AnyResource> = [Linked<R>] extends [never]
  ? OwnReplaceInput<R>
  : Simplify<OwnReplaceInput<R> & LinkLists<R, All>>;

/** The input of an update: the fields to change, and the changes of links and of related rows. */
export type UpdateInput<R extends AnyResource, All extends AnyResource, Decided = never> = [
  Linked<R> | Written<R>,
] extends [never]
  ? OmitStrictly<UpdateManyInput<R>, Decided>
  : Simplify<
      OmitStrictly<UpdateManyInput<R>, Decided> & {
        readonly [K in Linked<R>]?:
          | Ids<R, All, K>
          | { readonly add?: Ids<R, All, K>; readonly remove?: Ids<R, All, K> };
      } & { readonly [K in Written<R>]?: ChildChanges<R, All, K> }
    >;

/** The input of a create: the fields of the row, the rows to create with it, and the rows to link. */
export type CreateInput<R extends AnyResource, All extends AnyResource, Decided = never> = [Linked<R>] extends [never]
  ? RowInput<R, All, Decided>
  : RowInput<R, All, Decided> & LinkLists<R, All>;

type RowInput<R extends AnyResource, All extends AnyResource, Decided> = [Nested<R, Decided>] extends [never]
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

/** The relations whose links an input may change. */
type Linked<R extends AnyResource> = {
  [K in keyof RelationsOf<R>]: RelationsOf<R>[K] extends { kind: "manyToMany"; links: infer Links extends number }
    ? Links extends 0
      ? never
      : K
    : never;
}[keyof RelationsOf<R>];

/** The relations whose rows an update may change. */
type Written<R extends AnyResource> = {
  [K in keyof RelationsOf<R>]: RelationsOf<R>[K] extends { writes: ChildWrites } ? K : never;
}[keyof RelationsOf<R>];

type LinkLists<R extends AnyResource, All extends AnyResource> = {
  readonly [K in Linked<R>]?: Ids<R, All, K>;
};

type Ids<R extends AnyResource, All extends AnyResource, K extends keyof RelationsOf<R>> = [Target<R, All, K>] extends [
  never,
]
  ? readonly unknown[]
  : Target<R, All, K> extends infer T extends AnyResource
    ? readonly IdOf<TypesOf<T>["row"], TraitOf<T, "key", "id">>[]
    : never;

/** The rows to create, update and delete along a relation, as far as its `writes` allow. */
type ChildChanges<
  R extends AnyResource,
  All extends AnyResource,
  K extends keyof RelationsOf<R>,
> = RelationsOf<R>[K] extends { field: infer Field; writes: infer Writes }
  ? Simplify<
      (Allows<Writes, "create"> extends true ? { readonly create?: Along<R, All, K> } : unknown) &
        (Allows<Writes, "update"> extends true
          ? { readonly update?: readonly ChildUpdate<R, All, K, NamesIn<Field>>[] }
          : unknown) &
        (Allows<Writes, "delete"> extends true ? { readonly delete?: Ids<R, All, K> } : unknown)
    >
  : never;

type Allows<Writes, Kind extends keyof ChildWrites> = Writes extends { readonly [P in Kind]: infer Most }
  ? Most extends 0
    ? false
    : true
  : false;

type ChildUpdate<R extends AnyResource, All extends AnyResource, K extends keyof RelationsOf<R>, Field> = [
  Target<R, All, K>,
] extends [never]
  ? object
  : Target<R, All, K> extends infer T extends AnyResource
    ? Simplify<
        {
          readonly id: IdOf<TypesOf<T>["row"], TraitOf<T, "key", "id">>;
          /** The version that the row must have. */
          readonly ifMatch?: string;
        } & Without<UpdateInput<T, All, Field>, "id" | "ifMatch">
      >
    : never;

/** The relations along which an input may create rows. The relation that `Decided` already determines is excluded. */
type Nested<R extends AnyResource, Decided> = {
  [K in keyof RelationsOf<R>]: RelationsOf<R>[K] extends { creates: infer Creates; field: infer Field }
    ? Creates extends 0
      ? never
      : RelationsOf<R>[K] extends { kind: "belongsTo" }
        ? [NamesIn<Field> & Decided] extends [never]
          ? K
          : never
        : K
    : never;
}[keyof RelationsOf<R>];

/** Like `Omit`, but returns the same type if there is nothing to omit. */
type OmitStrictly<T, Names> = [Names] extends [never] ? T : Without<T, Names>;

/** The fields that a nested new row can replace. */
type Instead<R extends AnyResource, Names extends keyof RelationsOf<R>> = {
  [K in Names]: RelationsOf<R>[K] extends { kind: "belongsTo"; field: infer Field } ? NamesIn<Field> : never;
}[Names];

/** For a `belongsTo` relation with `creates`: either the reference or the input for a new target. */
type EitherOf<R extends AnyResource, All extends AnyResource, Names extends keyof RelationsOf<R>> = {
  [K in Names]: RelationsOf<R>[K] extends { kind: "belongsTo"; field: infer Field extends FieldList }
    ? {
        readonly either:
          | (Pick<Input<R>, NamesIn<Field> & keyof Input<R>> & { readonly [P in K]?: undefined })
          | ({ readonly [P in NamesIn<Field>]?: undefined } & { readonly [P in K]: Along<R, All, K> });
      }
    : { readonly either: unknown };
}[Names];

type Along<R extends AnyResource, All extends AnyResource, K extends keyof RelationsOf<R>> = [
  Target<R, All, K>,
] extends [never]
  ? object
  : Target<R, All, K> extends infer T extends AnyResource
    ? RelationsOf<R>[K] extends { kind: "hasMany"; field: infer Field }
      ? readonly CreateInput<T, All, NamesIn<Field>>[]
      : RelationsOf<R>[K] extends { kind: "hasOne"; field: infer Field }
        ? CreateInput<T, All, NamesIn<Field>>
        : CreateInput<T, All>
    : never;
