import type { AnyFilter } from "./filters.ts";
import type { PageRequest } from "./local-query.ts";
import type { AnyResource, RelationsOf } from "./resource.ts";

/** The resource of that name. */
export type Named<All extends AnyResource, Name> = Extract<All, { readonly name: Name }>;
/** The resource that a relation leads to. */
export type Target<
  R extends AnyResource,
  All extends AnyResource,
  K extends keyof RelationsOf<R>,
> = RelationsOf<R>[K] extends { target: infer Name } ? Named<All, Name> : never;
/** A query along a relation whose target isn't known. */
export interface UntypedRelation {
  readonly select?: Readonly<Record<string, unknown>>;
  readonly filter?: AnyFilter;
  readonly sort?: readonly string[];
  readonly page?: PageRequest;
}
export type IsMany<Rel> = Rel extends { kind: "hasMany" | "manyToMany" } ? true : false;
