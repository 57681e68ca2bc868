import type { Simplify } from "../util/simplify.ts";
import type { DatePart } from "./aggregate-functions.ts";
import type { FieldFilter } from "./filters.ts";
import type { PageRequest } from "./local-query.ts";
import type { Target } from "./local-relation.ts";
import type { AnyResource, RelationsOf, TraitOf, TypesOf } from "./resource.ts";

type Row<R extends AnyResource> = TypesOf<R>["row"];
type Aggregatable<R extends AnyResource> = TraitOf<R, "aggregatable"> & keyof Row<R> & string;
type Groupable<R extends AnyResource> = TraitOf<R, "groupable"> & keyof Row<R> & string;

/** The fields whose values can be added up. */
type Summable<R extends AnyResource> = {
  [K in Aggregatable<R>]: NonNullable<Row<R>[K]> extends number | bigint | string ? K : never;
}[Aggregatable<R>];

/** `count`, `sum.price`, `max.publishedAt`: the values that can be computed from the rows of a group. */
export type MeasureName<R extends AnyResource> =
  | "count"
  | `${"sum" | "avg"}.${Summable<R>}`
  | `${"min" | "max"}.${Aggregatable<R>}`;

/** The fields whose year, month or day rows can be grouped by. */
type Dated<R extends AnyResource> = {
  [K in Groupable<R>]: NonNullable<Row<R>[K]> extends string | Date ? K : never;
}[Groupable<R>];

/** `author.name`: the fields of to-one relations. */
type FarGroupable<R extends AnyResource> = TraitOf<R, "groupable"> & `${string}.${string}`;

/** `genre`, `createdAt.month`, `author.name`: the values by which rows can be grouped. */
export type GroupName<R extends AnyResource> =
  | Groupable<R>
  | FarGroupable<R>
  | `${Dated<R> | FarGroupable<R>}.${DatePart}`;

/** The type of a measure. Only `count` always has a value. */
type MeasureValue<
  R extends AnyResource,
  Name,
> = Name extends `${infer Function}.${infer K extends keyof Row<R> & string}`
  ? (Function extends "avg" ? Average<NonNullable<Row<R>[K]>> : NonNullable<Row<R>[K]>) | null
  : number;

type Average<T> = T extends bigint ? number : T;

/** Conditions on groups. All must match. */
export type HavingOf<R extends AnyResource> = {
  [Name in MeasureName<R>]?: FieldFilter<MeasureValue<R, Name>>;
} & {
  and?: readonly HavingOf<R>[];
  or?: readonly HavingOf<R>[];
  not?: HavingOf<R>;
};

type Signed<Name extends string> = Name | `-${Name}`;

/** Options of a local aggregate. Without `group`, all matching rows are one group. */
export interface AggregateOptions<
  R extends AnyResource,
  Filter,
  Measures extends MeasureName<R>,
  Groups extends GroupName<R>,
  Search = string,
> extends GroupsQuery<R, Filter, Measures, Groups, Search> {
  readonly signal?: AbortSignal;
}

/** The groups to compute from rows, at the top or of a relation. */
export interface GroupsQuery<
  R extends AnyResource,
  Filter,
  Measures extends MeasureName<R>,
  Groups extends GroupName<R>,
  Search = string,
> {
  /** The values to compute: `["count", "avg.price"]`. */
  readonly aggregate?: readonly Measures[];
  /** The values by which rows are grouped: `["genre", "createdAt.month"]`. */
  readonly group?: readonly Groups[];
  /** Only rows that match. */
  readonly filter?: Filter;
  /** Words that must all occur in the searched fields of a row. */
  readonly search?: Search;
  /** Only groups that match: `{ count: { gte: 10 } }`. */
  readonly having?: HavingOf<R>;
  /** `count` ascending, `-count` descending. The values of the groups are always the last criteria. */
  readonly sort?: readonly Signed<MeasureName<R> | NoInfer<Groups>>[];
  readonly page?: PageRequest;
}

/** The selection of groups of a relation, instead of its rows. */
export type SelectedGroups = { readonly aggregate: readonly string[] } | { readonly group: readonly string[] };

/** The groups that a selection of a relation returns. `S` is the selection as written. */
export type SelectedGroup<R extends AnyResource, All extends AnyResource, S> = GroupOf<
  R,
  All,
  NamesOf<S, "aggregate">,
  NamesOf<S, "group">
>;

type NamesOf<S, Option extends string> = S extends { readonly [K in Option]: readonly (infer Name extends string)[] }
  ? Name
  : never;

/** A group with the requested values: `{ group: { genre: "novel" }, count: 12, avg: { price: 10.2 } }`. */
export type GroupOf<
  R extends AnyResource,
  All extends AnyResource,
  Measures extends string,
  Groups extends string,
> = Simplify<
  {
    group: { [Name in Groups]: GroupValue<R, All, Name> };
  } & ("count" extends Measures ? { count: number } : unknown) & {
      [F in FunctionOf<Measures>]: {
        [K in FieldOf<Measures, F>]: MeasureValue<R, `${F}.${K}`>;
      };
    }
>;

type FunctionOf<Measures extends string> = Measures extends `${infer F}.${string}` ? F : never;
type FieldOf<Measures extends string, F extends string> = Measures extends `${F}.${infer K}` ? K : never;

type GroupValue<R extends AnyResource, All extends AnyResource, Name> = Name extends keyof Row<R>
  ? Row<R>[Name] | Missing<Row<R>[Name]>
  : Name extends `${infer K extends keyof Row<R> & string}.${DatePart}`
    ? string | Missing<Row<R>[K]>
    : Name extends `${infer K extends keyof RelationsOf<R> & string}.${infer Field}`
      ? FarValue<Target<R, All, K>, Field>
      : never;

/** There may be no related row, or one that the caller can't read. */
type FarValue<R extends AnyResource, Field> = Field extends keyof Row<R> ? Row<R>[Field] | null : string | null;

/** A missing value is always null. */
type Missing<T> = undefined extends T ? null : null extends T ? null : never;

/** One page of groups. */
export interface LocalGroups<Group> {
  readonly groups: Group[];
  /** Number of groups on all pages. */
  readonly total: number;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}
