import type { AnyResource, TypesOf } from "./resource.ts";
import type { TypeMistake } from "./type-error.ts";

type Names<All extends readonly AnyResource[]> = All[number]["name"];

type UnknownTargets<R extends AnyResource, Known> = {
  [K in keyof TypesOf<R>["relations"] & string]: TypesOf<R>["relations"][K] extends {
    target: infer Target extends string;
  }
    ? Target extends Known
      ? never
      : `Relation '${K}' of '${R["name"]}' names '${Target}', which is not among the resources of this API.`
    : never;
}[keyof TypesOf<R>["relations"] & string];

/** Each resource as it is, or the sentence that says which of its relations points nowhere. */
export type CheckTargets<All extends readonly AnyResource[]> = {
  readonly [I in keyof All]: [UnknownTargets<All[I], Names<All>>] extends [never]
    ? All[I]
    : TypeMistake<UnknownTargets<All[I], Names<All>>>;
};
