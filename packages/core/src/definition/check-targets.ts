import type { NamesIn } from "./relations.ts";
import type { AnyResource, RelationsOf, TraitOf, TypesOf } from "./resource.ts";
import type { TypeMistake } from "./type-error.ts";

type WrongRelations<R extends AnyResource, All extends AnyResource> = {
  [K in keyof RelationsOf<R> & string]: RelationsOf<R>[K] extends {
    target: infer Target extends string;
  }
    ? Target extends All["name"]
      ? WrongFields<R, K, RelationsOf<R>[K], Extract<All, { readonly name: Target }>>
      : `Relation '${K}' of '${R["name"]}' names '${Target}', which is not among the resources of this API.`
    : never;
}[keyof RelationsOf<R> & string];

/** The rows of one side contain the values of the other, by position. */
type WrongFields<R extends AnyResource, K extends string, Rel, T extends AnyResource> = Rel extends {
  kind: "belongsTo" | "hasMany" | "hasOne";
  field: infer Field;
  references: infer References;
}
  ? Rel extends { kind: "belongsTo" }
    ? WrongSides<R, K, ListOf<Field>, R, Referenced<T, References>, T>
    : WrongSides<R, K, ListOf<Field>, T, Referenced<R, References>, R>
  : never;

type ListOf<Fields> = Fields extends readonly string[] ? Fields : readonly [Fields];

type Referenced<Owner extends AnyResource, References> = ListOf<
  References extends undefined ? TraitOf<Owner, "key", "id"> : References
>;

type Row<R extends AnyResource> = TypesOf<R>["row"];

type WrongSides<
  R extends AnyResource,
  K extends string,
  Holding extends readonly unknown[],
  Holder extends AnyResource,
  Owned extends readonly unknown[],
  Owner extends AnyResource,
> =
  | UnknownNames<R, K, Exclude<NamesIn<Holding>, keyof Row<Holder>>, Holder>
  | UnknownNames<R, K, Exclude<NamesIn<Owned>, keyof Row<Owner>>, Owner>
  | (number extends Holding["length"] | Owned["length"]
      ? never
      : Holding["length"] extends Owned["length"]
        ? WrongTypes<R, K, Holding, Holder, Owned, Owner>
        : `Relation '${K}' of '${R["name"]}' lists ${Holding["length"]} fields of '${Holder["name"]}', but references ${Owned["length"]} of '${Owner["name"]}'.`);

type UnknownNames<R extends AnyResource, K extends string, Names, Side extends AnyResource> = Names extends string
  ? `Relation '${K}' of '${R["name"]}' uses '${Names}', but '${Side["name"]}' has no such field.`
  : never;

type WrongTypes<
  R extends AnyResource,
  K extends string,
  Holding extends readonly unknown[],
  Holder extends AnyResource,
  Owned extends readonly unknown[],
  Owner extends AnyResource,
> = {
  [I in keyof Holding & keyof Owned & `${number}`]: Holding[I] extends keyof Row<Holder> & string
    ? Owned[I] extends keyof Row<Owner> & string
      ? Primitive<Row<Holder>[Holding[I]]> extends Primitive<Row<Owner>[Owned[I]]>
        ? never
        : `Relation '${K}' of '${R["name"]}' compares '${Holder["name"]}.${Holding[I]}' with '${Owner["name"]}.${Owned[I]}', which has another type.`
      : never
    : never;
}[keyof Holding & keyof Owned & `${number}`];

/** Two enums, or a branded and a plain text, can have equal values. */
type Primitive<T> = [NonNullable<T>] extends [infer V]
  ? V extends string
    ? "string"
    : V extends number
      ? "number"
      : V extends bigint
        ? "bigint"
        : V
  : never;

/** Each resource unchanged, or the error message for its relation whose target is unknown. */
export type CheckTargets<All extends readonly AnyResource[]> = {
  readonly [I in keyof All]: [WrongRelations<All[I], All[number]>] extends [never]
    ? All[I]
    : TypeMistake<WrongRelations<All[I], All[number]>>;
};
