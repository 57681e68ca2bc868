import type { Simplify } from "../util/simplify.ts";
import type { ComputedRow } from "./computed-row.ts";
import type { GroupName, GroupsQuery, MeasureName, SelectedGroup, SelectedGroups } from "./local-aggregate.ts";
import type { QueryTypes, SearchText } from "./local-filter.ts";
import type { RelationGroups, RelationQuery } from "./local-query.ts";
import type { IsMany, Target, UntypedRelation } from "./local-relation.ts";
import type { Pluck, Without } from "./pick-keys.ts";
import type { NamesIn } from "./relations.ts";
import type { AnyResource, RelationsOf, TraitOf, TypesOf } from "./resource.ts";
import type { TypeMistake } from "./type-error.ts";

type Row<R extends AnyResource> = TypesOf<R>["row"];
type Computed<R extends AnyResource> = TraitOf<R, "computed">;
/** The fields that callers can see, with their values. */
export type VisibleRow<R extends AnyResource, All extends AnyResource = R> = [Computed<R>] extends [never]
  ? Without<Row<R>, TraitOf<R, "internal">>
  : Simplify<Without<Row<R>, TraitOf<R, "internal">> & ComputedRow<R, All>>;

/**
 * The fields and relations to read: `true` for a field; for a relation `true` (all its fields) or a nested query. `S`
 * is the type of the selection as written. It is passed down to the relations, so that each nested query is checked
 * separately. `S` is inferred from this type but isn't part of it: otherwise it would accept any selection.
 */
export type Select<R extends AnyResource, All extends AnyResource, S> = [S] extends [never]
  ? S
  : {
      readonly [K in SelectName<R, S>]?: K extends keyof RelationsOf<R>
        ? [Target<R, All, K>] extends [never]
          ? true | UntypedRelation
          : K extends GroupedName<S>
            ? SelectGroups<R, All, K>
            : true | SelectAlong<R, All, K, Select<Target<R, All, K>, All, InnerOf<S, K>>>
        : K extends keyof VisibleRow<R>
          ? true
          : TypeMistake<`'${K & string}' is neither a field nor a relation of '${R["name"]}'.`>;
    };

/** None if nothing is selected, which keeps the type short in editors. */
type SelectName<R extends AnyResource, S> = [S] extends [undefined]
  ? never
  : keyof VisibleRow<R> | keyof RelationsOf<R> | keyof S;

/** The relations whose groups are selected instead of their rows. */
type GroupedName<S> = { [K in keyof S]: S[K] extends SelectedGroups ? K : never }[keyof S];

type SelectGroups<R extends AnyResource, All extends AnyResource, K extends keyof RelationsOf<R>> =
  IsMany<RelationsOf<R>[K]> extends true
    ? GroupsQuery<
        Target<R, All, K>,
        QueryTypes<Target<R, All, K>, All>["filter"],
        MeasureName<Target<R, All, K>>,
        GroupName<Target<R, All, K>>,
        SearchText<Target<R, All, K>>
      >
    : TypeMistake<`'${K & string}' leads to a single row, so it has no groups.`>;

/** The nested selection of a relation. */
type InnerOf<S, K> = K extends keyof S
  ? S[K] extends { readonly select: infer Inner }
    ? Inner
    : undefined
  : undefined;

type SelectAlong<R extends AnyResource, All extends AnyResource, K extends keyof RelationsOf<R>, Inner> =
  IsMany<RelationsOf<R>[K]> extends true
    ? RelationQuery<
        QueryTypes<Target<R, All, K>, All>["filter"],
        QueryTypes<Target<R, All, K>, All>["sort"],
        Inner,
        SearchText<Target<R, All, K>>
      > &
        RelationGroups<MeasureName<Target<R, All, K>>, GroupName<Target<R, All, K>>>
    : { readonly select?: Inner };

/** The result of a selection: a plain object with only the selected fields and relations. */
export type SelectResult<R extends AnyResource, All extends AnyResource, S> = [S] extends [undefined]
  ? VisibleRow<R, All>
  : Simplify<
      Pluck<[Computed<R>] extends [never] ? Row<R> : VisibleRow<R, All>, keyof S> & {
        [K in keyof S & keyof RelationsOf<R>]: RelationResult<
          R,
          K,
          [Target<R, All, K>] extends [never]
            ? Record<string, unknown>
            : K extends GroupedName<S>
              ? SelectedGroup<Target<R, All, K>, All, S[K]>
              : SelectResult<Target<R, All, K>, All, InnerOf<S, K>>
        >;
      }
    >;

type RelationResult<R extends AnyResource, K extends keyof RelationsOf<R>, Item> =
  IsMany<RelationsOf<R>[K]> extends true
    ? Item[]
    : RelationsOf<R>[K] extends { kind: "belongsTo"; field: infer F }
      ? NamesIn<F> extends keyof Row<R>
        ? null extends Row<R>[NamesIn<F>]
          ? Item | null
          : undefined extends Row<R>[NamesIn<F>]
            ? Item | null
            : Item
        : Item | null
      : Item | null;
