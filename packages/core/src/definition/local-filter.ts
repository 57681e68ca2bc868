import type { AnyFilter, FilterOf, ManyFilter } from "./filters.ts";
import type { IsMany, Target } from "./local-relation.ts";
import type { ComputedRow } from "./computed-row.ts";
import type { Pluck } from "./pick-keys.ts";
import type { AnyResource, RelationsOf, TraitOf, TypesOf } from "./resource.ts";
import type { TypeMistake } from "./type-error.ts";

/** The words of a search. */
export type SearchText<R extends AnyResource> = [TraitOf<R, "searches">] extends [never]
  ? TypeMistake<`'${R["name"]}' has no 'search', so that its rows can't be searched.`>
  : string;

// An interface, because its properties have no alias: editors then show their fields.
export interface QueryTypes<R extends AnyResource, All extends AnyResource> {
  /** A filter that callers can pass: fields declared as `filterable`, and those of related resources. */
  readonly filter: FilterOf<
    Pluck<FilterableRow<R, All>, TraitOf<R, "filterable">>,
    {
      [K in keyof RelationsOf<R>]: [Target<R, All, K>] extends [never]
        ? AnyFilter
        : Target<R, All, K> extends infer T extends AnyResource
          ? IsMany<RelationsOf<R>[K]> extends true
            ? ManyFilter<QueryTypes<T, All>["filter"]>
            : QueryTypes<T, All>["filter"]
          : AnyFilter;
    }
  >;
  /** `price` ascending, `-price` descending, `author.name` for a to-one relation. */
  readonly sort: Signed<
    | TraitOf<R, "sortable">
    | {
        [K in keyof RelationsOf<R> & string]: IsMany<RelationsOf<R>[K]> extends true
          ? never
          : [Target<R, All, K>] extends [never]
            ? `${K}.${string}`
            : `${K}.${TraitOf<Target<R, All, K>, "sortable"> & string}`;
      }[keyof RelationsOf<R> & string]
  >;
}

type FilterableRow<R extends AnyResource, All extends AnyResource> = [TraitOf<R, "computed">] extends [never]
  ? TypesOf<R>["row"]
  : TypesOf<R>["row"] & ComputedRow<R, All>;

// Distributes over the paths, so that editors show them instead of the name of this type.
type Signed<Path> = Path extends string ? Path | `-${Path}` : never;
