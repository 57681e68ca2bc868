import type { AnyFilter } from "./filters.ts";
import type { PageRequest } from "./local-query.ts";
import type { AnyResource, RelationsOf } from "./resource.ts";

/** The resources by name. TypeScript computes it once, whereas `Extract` would compare all resources for each relation. */
export type ByName<All extends AnyResource> = { readonly [R in All as R["name"]]: R };

/** The resource of that name. `keyof` would list the names again for each relation. */
export type Named<All extends AnyResource, Name> = Entry<ByName<All>, Name>;

/** The entry of that name, or `never`. */
export type Entry<Resources, Name> = Resources extends { readonly [N in Name & string]: infer R extends AnyResource }
  ? R
  : never;

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
