import type { Simplify, UnionToIntersection } from "type-fest";
import type { z } from "zod";
import type { InputOf, RowOf } from "./fields.ts";
import type { AnyFilter, FilterOf, ManyFilter } from "./filters.ts";
import type { Relation } from "./relations.ts";
import type { AnyResource, IdOf, TypesOf } from "./resource.ts";
import type { TypeMistake } from "./type-error.ts";

type Named<All extends AnyResource, Name> = Extract<All, { readonly name: Name }>;
type Row<R extends AnyResource> = RowOf<TypesOf<R>["fields"]>;
type Id<R extends AnyResource> = IdOf<Row<R>, TypesOf<R>["key"]>;
type Relations<R extends AnyResource> = TypesOf<R>["relations"];
type VisibleRow<R extends AnyResource> = Omit<Row<R>, TypesOf<R>["internal"]>;
type IsMany<Rel> = Rel extends { kind: "hasMany" | "manyToMany" } ? true : false;
type TargetOf<Rel> = Rel extends { target: infer Target } ? Target : never;

/** A filter a caller may give: declared `filterable` fields, and along relations the target's. */
export type Filter<R extends AnyResource, All extends AnyResource> = FilterOf<
  Pick<Row<R>, TypesOf<R>["filterable"] & keyof Row<R>>,
  {
    [K in keyof Relations<R>]: Named<All, TargetOf<Relations<R>[K]>> extends infer T extends AnyResource
      ? IsMany<Relations<R>[K]> extends true
        ? ManyFilter<Filter<T, All>>
        : Filter<T, All>
      : AnyFilter;
  }
>;

/** `price` ascending, `-price` descending, `author.name` along a to-one relation. The key is always the last tie-breaker. */
export type Sort<R extends AnyResource, All extends AnyResource> =
  | Signed<TypesOf<R>["sortable"]>
  | {
      [K in keyof Relations<R> & string]: IsMany<Relations<R>[K]> extends true
        ? never
        : Signed<`${K}.${TypesOf<Named<All, TargetOf<Relations<R>[K]>>>["sortable"]}`>;
    }[keyof Relations<R> & string];

type Signed<Path extends string> = Path | `-${Path}`;

/** At most one of `after`, `before` and `offset`. */
export interface PageRequest {
  readonly size?: number;
  readonly after?: string;
  readonly before?: string;
  readonly offset?: number;
}

/**
 * What to read: `true` for a field; for a relation `true` (all its fields) or a query of its own. `S`, what is written,
 * leads into the relations that it names, so that each of their queries is checked as if it stood alone.
 */
export type Select<R extends AnyResource, All extends AnyResource, S = unknown> = {
  readonly [K in keyof VisibleRow<R>]?: true;
} & {
  readonly [K in keyof Relations<R>]?: Named<All, TargetOf<Relations<R>[K]>> extends infer T extends AnyResource
    ? true | RelationQuery<T, All, IsMany<Relations<R>[K]>, InnerOf<S, K>>
    : never;
} & {
  readonly [K in Exclude<
    keyof S,
    keyof VisibleRow<R> | keyof Relations<R>
  >]: TypeMistake<`'${K & string}' is neither a field nor a relation of '${R["name"]}'.`>;
};

/** The selection within a relation of a selection. */
type InnerOf<S, K> = K extends keyof S
  ? S[K] extends { readonly select: infer Inner }
    ? Inner
    : undefined
  : undefined;

export type RelationQuery<T extends AnyResource, All extends AnyResource, Many, S = unknown> = {
  readonly select?: Select<T, All, S>;
} & (Many extends true
  ? { readonly filter?: Filter<T, All>; readonly sort?: readonly Sort<T, All>[]; readonly page?: PageRequest }
  : unknown);

/** `S` is inferred from it and is no part of it: a part would take whatever was written. */
type Checked<R extends AnyResource, All extends AnyResource, S> = [S] extends [never] ? S : Select<R, All, S>;

/** What a selection gives: a plain object of just the selected fields and relations. */
export type Selected<R extends AnyResource, All extends AnyResource, S> = [S] extends [undefined]
  ? Simplify<VisibleRow<R>>
  : Simplify<
      Pick<Row<R>, keyof S & keyof Row<R>> & {
        [K in keyof S & keyof Relations<R>]: RelationResult<
          Relations<R>[K],
          Selected<Named<All, TargetOf<Relations<R>[K]>>, All, InnerOf<S, K>>,
          R
        >;
      }
    >;

type RelationResult<Rel extends Relation, Target, R extends AnyResource> = Rel extends {
  kind: "hasMany" | "manyToMany";
}
  ? Target[]
  : Rel extends { kind: "belongsTo"; field: infer F extends keyof Row<R> }
    ? null extends Row<R>[F]
      ? Target | null
      : undefined extends Row<R>[F]
        ? Target | null
        : Target
    : Target | null;

/** One page of a list. */
export interface LocalPage<Item> {
  readonly items: Item[];
  /** All rows that match, where `count: true` asked for it. */
  readonly total?: number;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

export interface ListQuery<R extends AnyResource, All extends AnyResource, S> {
  readonly filter?: Filter<R, All>;
  readonly sort?: readonly Sort<R, All>[];
  readonly page?: PageRequest;
  readonly count?: boolean;
  readonly select?: Checked<R, All, S>;
  readonly signal?: AbortSignal;
}

interface Options<R extends AnyResource, All extends AnyResource, S> {
  readonly select?: Checked<R, All, S>;
  readonly signal?: AbortSignal;
}

type Written<R extends AnyResource> = Omit<
  TypesOf<R>["fields"],
  keyof TypesOf<R>["generated"] | TypesOf<R>["internal"] | TypesOf<R>["version"]
>;
/** The relations along which an input may create rows, but for the one that `Decided` says already. */
type Nested<R extends AnyResource, Decided> = {
  [K in keyof Relations<R>]: Relations<R>[K] extends { creates: infer Creates; field: infer Field }
    ? Creates extends 0
      ? never
      : Relations<R>[K] extends { kind: "belongsTo" }
        ? Field extends Decided
          ? never
          : K
        : K
    : never;
}[keyof Relations<R>];

/** What a create takes: the fields of the row, and along relations with `creates` the rows to be created with it. */
export type CreateInput<R extends AnyResource, All extends AnyResource, Decided = never> = [
  Nested<R, Decided>,
] extends [never]
  ? Simplify<OmitStrictly<InputOf<Written<R>>, Decided>>
  : Simplify<
      OmitStrictly<InputOf<Written<R>>, Decided | Instead<R, Nested<R, Decided>>> & {
        readonly [K in Nested<R, Decided> as Relations<R>[K] extends { kind: "belongsTo" } ? never : K]?: Along<
          Relations<R>[K],
          All
        >;
      } & UnionToIntersection<EitherOf<R, All, Nested<R, Decided>>>["either" &
          keyof UnionToIntersection<EitherOf<R, All, Nested<R, Decided>>>]
    >;

/** As `Omit`, and the same type where there is nothing to leave out. */
type OmitStrictly<T, Names> = [Names] extends [never] ? T : Omit<T, Names & PropertyKey>;

/** The fields that a new row may stand for. */
type Instead<R extends AnyResource, Names extends keyof Relations<R>> = {
  [K in Names]: Relations<R>[K] extends { kind: "belongsTo"; field: infer Field } ? Field : never;
}[Names];

/** Of a row that this one points at, its key or what to make it of. */
type EitherOf<R extends AnyResource, All extends AnyResource, Names extends keyof Relations<R>> = {
  [K in Names]: Relations<R>[K] extends { kind: "belongsTo"; field: infer Field extends string }
    ? {
        readonly either:
          | (Pick<InputOf<Written<R>>, Field & keyof InputOf<Written<R>>> & { readonly [P in K]?: undefined })
          | ({ readonly [P in Field]?: undefined } & { readonly [P in K]: Along<Relations<R>[K], All> });
      }
    : { readonly either: unknown };
}[Names];

type Along<Rel, All extends AnyResource> =
  Named<All, TargetOf<Rel>> extends infer T extends AnyResource
    ? Rel extends { kind: "hasMany"; field: infer Field }
      ? readonly CreateInput<T, All, Field>[]
      : Rel extends { kind: "hasOne"; field: infer Field }
        ? CreateInput<T, All, Field>
        : CreateInput<T, All>
    : never;

type Rewritten<R extends AnyResource> = Omit<Written<R>, TypesOf<R>["immutable"]>;
/** Versions of which the row must have one (`*`: any), as in an `ETag` without its quotes. Otherwise PRECONDITION_FAILED. */
interface IfMatch {
  readonly ifMatch?: string | readonly string[];
}

interface WriteOptions<R extends AnyResource, All extends AnyResource, S> extends Options<R, All, S>, IfMatch {}
type ActionName<R extends AnyResource, On> = {
  [K in keyof TypesOf<R>["ons"]]: TypesOf<R>["ons"][K] extends On ? K : never;
}[keyof TypesOf<R>["ons"]];
type ActionInput<R extends AnyResource, K> = K extends keyof TypesOf<R>["inputs"]
  ? TypesOf<R>["inputs"][K] extends z.ZodType
    ? undefined extends z.input<TypesOf<R>["inputs"][K]>
      ? [input?: z.input<TypesOf<R>["inputs"][K]>]
      : [input: z.input<TypesOf<R>["inputs"][K]>]
    : []
  : [];
type ActionOutput<R extends AnyResource, K, Otherwise> = K extends keyof TypesOf<R>["outputs"]
  ? TypesOf<R>["outputs"][K] extends z.ZodType
    ? z.output<TypesOf<R>["outputs"][K]>
    : Otherwise
  : Otherwise;

/** A change as it happened, with the row as the subscriber may see it. */
export interface LocalChange<Item> {
  readonly id: string;
  readonly kind: "created" | "updated" | "deleted";
  readonly item: Item;
}

/** A row of the state from which changes start, where `initial` asked for it. */
export interface LocalCurrent<Item> {
  readonly kind: "current";
  readonly item: Item;
}

/** What may be watched, and how. */
type WatchQuery<R extends AnyResource, All extends AnyResource, S> = Options<R, All, S> & {
  readonly on?: readonly ("created" | "updated" | "deleted")[];
  readonly id?: Id<R>;
  readonly filter?: Filter<R, All>;
};

/** The third way in: typed, in process, through the same engine and rules. Every method throws `BifocalError`. */
export interface LocalResource<R extends AnyResource, All extends AnyResource> {
  list<const S = undefined>(query?: ListQuery<R, All, S>): Promise<LocalPage<Selected<R, All, S>>>;
  /** `null` where there is no such row, or none that the caller may see. */
  get<const S = undefined>(id: Id<R>, options?: Options<R, All, S>): Promise<Selected<R, All, S> | null>;
  create<const S = undefined>(data: CreateInput<R, All>, options?: Options<R, All, S>): Promise<Selected<R, All, S>>;
  replace<const S = undefined>(
    id: Id<R>,
    data: InputOf<Rewritten<R>>,
    options?: WriteOptions<R, All, S>,
  ): Promise<Selected<R, All, S>>;
  update<const S = undefined>(
    id: Id<R>,
    changes: Partial<InputOf<Rewritten<R>>>,
    options?: WriteOptions<R, All, S>,
  ): Promise<Selected<R, All, S>>;
  remove(id: Id<R>, options?: IfMatch & { readonly signal?: AbortSignal }): Promise<void>;
  /** All of them, or none; `null` for a row that the caller may not read. At most `bulk.create`. */
  createMany<const S = undefined>(
    data: readonly CreateInput<R, All>[],
    options?: Options<R, All, S>,
  ): Promise<(Selected<R, All, S> | null)[]>;
  /** The same changes to every row that matches, or to none. Answers their ids. At most `bulk.update`. */
  updateMany(
    filter: Filter<R, All>,
    changes: Partial<InputOf<Rewritten<R>>>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Id<R>[]>;
  /** Removes every row that matches, or none. Answers their ids. At most `bulk.delete`. */
  removeMany(filter: Filter<R, All>, options?: { readonly signal?: AbortSignal }): Promise<Id<R>[]>;
  link(id: Id<R>, relation: ManyToManyName<R>, targetId: unknown): Promise<void>;
  unlink(id: Id<R>, relation: ManyToManyName<R>, targetId: unknown): Promise<void>;
  /**
   * Changes from this call on, each as the caller may see it. Ends with `return` or the signal; throws `UNAVAILABLE`
   * where changes were missed. Read it: what waits is kept for you.
   */
  watch<const S = undefined>(
    query?: WatchQuery<R, All, S> & {
      /** Resume behind this change. */
      readonly after?: string;
    },
  ): AsyncIterableIterator<LocalChange<Selected<R, All, S>>>;
  /** First the rows as they are, no more than a page may have, then their changes: none is missed, and none comes twice. */
  watch<const S = undefined>(
    query: WatchQuery<R, All, S> & { readonly initial: true },
  ): AsyncIterableIterator<LocalChange<Selected<R, All, S>> | LocalCurrent<Selected<R, All, S>>>;
  readonly actions: {
    readonly [K in ActionName<R, "item">]: (
      id: Id<R>,
      ...input: ActionInput<R, K>
    ) => Promise<ActionOutput<R, K, Simplify<VisibleRow<R>>>>;
  } & {
    readonly [K in ActionName<R, "collection">]: (
      ...input: ActionInput<R, K>
    ) => Promise<ActionOutput<R, K, undefined>>;
  };
}

type ManyToManyName<R extends AnyResource> = {
  [K in keyof Relations<R>]: Relations<R>[K] extends { kind: "manyToMany" } ? K : never;
}[keyof Relations<R>];

export type Local<All extends AnyResource> = { readonly [R in All as R["name"]]: LocalResource<R, All> };
