import type { ByName } from "./local-relation.ts";
import type { NamesIn } from "./relations.ts";
import type { AnyResource, TraitOf, TypesOf } from "./resource.ts";
import type { TypeMistake } from "./type-error.ts";

// TypeScript instantiates the type that a condition checks twice more, and keeps the results. All conditions on whole
// resources therefore check the same types.
type WrongRelations<R extends AnyResource, Resources extends ResourcesByName> = R extends {
  readonly "~types"?: { readonly row: infer Fields; readonly relations: infer Relations };
}
  ? {
      [K in keyof Relations & string]: IsPlainlyRight<R, Fields, Relations[K], Resources> extends true
        ? never
        : Relations[K] extends { target: infer Target extends string }
          ? Resources extends { readonly [N in Target]: infer T extends AnyResource }
            ? WrongFields<R, K, Relations[K], T>
            : `Relation '${K}' of '${R["name"]}' names '${Target}', which is not among the resources of this API.`
          : never;
    }[keyof Relations & string]
  : never;

type ResourcesByName = Readonly<Record<string, AnyResource>>;

/** Whether one field holds ids of the same type. This is cheap to check, and the other types are for messages. */
type IsPlainlyRight<R extends AnyResource, Fields, Rel, Resources extends ResourcesByName> = Rel extends ById
  ? Rel["kind"] extends "belongsTo"
    ? Resources[Rel["target"]] extends WithRow<{ readonly id: NonNullable<Fields[Rel["field"] & keyof Fields]> }>
      ? true
      : false
    : R extends WithRow<{ readonly id: unknown }>
      ? Resources[Rel["target"]] extends WithRow<{ readonly [F in Rel["field"]]: Fields["id" & keyof Fields] }>
        ? true
        : false
      : false
  : false;

interface ById {
  readonly kind: "belongsTo" | "hasMany" | "hasOne";
  readonly target: string;
  readonly field: string;
  readonly references: undefined;
}
/** A resource with the default key and these fields. */
interface WithRow<Fields> {
  readonly "~types"?: { readonly row: Fields; readonly key?: never };
}

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

/** The message for a resource with a relation whose target or fields are unknown, at its place in the list; otherwise unknown. */
export type CheckTargets<All extends readonly AnyResource[]> = Mistakes<All>[number] extends never
  ? unknown
  : { readonly resources: MarkMistakes<All> };

type Mistakes<All extends readonly AnyResource[], Resources extends ResourcesByName = ByName<All[number]>> = {
  readonly [I in keyof All]: WrongRelations<All[I], Resources>;
};

/** Each resource unchanged, or the message for its wrong relation. */
type MarkMistakes<All extends readonly AnyResource[]> = {
  readonly [I in keyof All]: [Mistakes<All>[I]] extends [never] ? All[I] : TypeMistake<Mistakes<All>[I] & string>;
};
