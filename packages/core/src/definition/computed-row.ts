import type { Target } from "./local-relation.ts";
import type { RelatedField } from "./related-fields.ts";
import type { AnyResource, RelationsOf, TraitOf, TypesOf } from "./resource.ts";

/** The computed fields of a resource. */
export type ComputedRow<R extends AnyResource, All extends AnyResource> = {
  [K in keyof TraitOf<R, "computed">]: TraitOf<R, "computed">[K] extends RelatedField<
    infer Relation extends keyof RelationsOf<R> & string,
    infer Function,
    infer Field
  >
    ? RelatedValue<Target<R, All, Relation>, Function, Field>
    : TraitOf<R, "computed">[K];
};

type RelatedValue<R extends AnyResource, Function, Field> = [R] extends [never]
  ? unknown
  : Field extends keyof TypesOf<R>["row"]
    ?
        | (Function extends "avg"
            ? Average<NonNullable<TypesOf<R>["row"][Field]>>
            : NonNullable<TypesOf<R>["row"][Field]>)
        | null
    : unknown;

type Average<T> = T extends bigint ? number : T;
