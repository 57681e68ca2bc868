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

/** A filter that callers can pass: fields declared as `filterable`, and those of related resources. */
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

/**
 * `price` ascending, `-price` descending, `author.name` for a to-one relation. The key is always the last criterion.
 */
export type Sort<R extends AnyResource, All extends AnyResource> =
  | Signed<TypesOf<R>["sortable"]>
  | {
      [K in keyof Relations<R> & string]: IsMany<Relations<R>[K]> extends true
        ? never
        : Signed<`${K}.${TypesOf<Named<All, TargetOf<Relations<R>[K]>>>["sortable"]}`>;
    }[keyof Relations<R> & string];

type Signed<Path extends string> = Path | `-${Path}`;

/** Set at most one of `after`, `before` and `offset`. */
export interface PageRequest {
  readonly size?: number;
  readonly after?: string;
  readonly before?: string;
  readonly offset?: number;
}

/**
 * The fields and relations to read: `true` for a field; for a relation `true` (all its fields) or a nested query. `S`
 * is the type of the selection as written. It is passed down to the relations, so that each nested query is checked
 * separately.
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

/** The nested selection of a relation. */
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

/** `S` is inferred from this type but isn't part of it: otherwise it would accept any selection. */
type Checked<R extends AnyResource, All extends AnyResource, S> = [S] extends [never] ? S : Select<R, All, S>;

/** The result of a selection: a plain object with only the selected fields and relations. */
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
  /** Number of all matching rows, if `count: true` was passed. */
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
/** The relations along which an input may create rows. The relation that `Decided` already determines is excluded. */
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

/** The input of a create: the fields of the row and, for relations with `creates`, the rows to create with it. */
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

/** Like `Omit`, but returns the same type if there is nothing to omit. */
type OmitStrictly<T, Names> = [Names] extends [never] ? T : Omit<T, Names & PropertyKey>;

/** The fields that a nested new row can replace. */
type Instead<R extends AnyResource, Names extends keyof Relations<R>> = {
  [K in Names]: Relations<R>[K] extends { kind: "belongsTo"; field: infer Field } ? Field : never;
}[Names];

/** For a `belongsTo` relation with `creates`: either the target's key or the input for a new target. */
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
/**
 * The versions that the row may have, in the form of an `ETag` without its quotes; `*` allows any version. Otherwise
 * the call fails with PRECONDITION_FAILED.
 */
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

/** One change, with the row as the subscriber may see it. */
export interface LocalChange<Item> {
  readonly id: string;
  readonly kind: "created" | "updated" | "deleted";
  readonly item: Item;
}

/** A row of the initial state, sent if `initial` was set. */
export interface LocalCurrent<Item> {
  readonly kind: "current";
  readonly item: Item;
}

/** Selects the changes to watch. */
type WatchQuery<R extends AnyResource, All extends AnyResource, S> = Options<R, All, S> & {
  readonly on?: readonly ("created" | "updated" | "deleted")[];
  readonly id?: Id<R>;
  readonly filter?: Filter<R, All>;
};

/**
 * Typed calls in process, through the same engine and rules as REST and GraphQL. Every method throws `BifocalError`.
 */
export interface LocalResource<R extends AnyResource, All extends AnyResource> {
  list<const S = undefined>(query?: ListQuery<R, All, S>): Promise<LocalPage<Selected<R, All, S>>>;
  /** Returns `null` if there is no such row or if it is hidden from the caller. */
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
  delete(id: Id<R>, options?: IfMatch & { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Creates all rows or none, at most `bulk.create`. The result has `null` for each row that the caller can't read.
   */
  createMany<const S = undefined>(
    data: readonly CreateInput<R, All>[],
    options?: Options<R, All, S>,
  ): Promise<(Selected<R, All, S> | null)[]>;
  /** Applies the same changes to every matching row, or to none, and returns their ids. At most `bulk.update` rows. */
  updateMany(
    filter: Filter<R, All>,
    changes: Partial<InputOf<Rewritten<R>>>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Id<R>[]>;
  /** Deletes every matching row, or none, and returns their ids. At most `bulk.delete` rows. */
  deleteMany(filter: Filter<R, All>, options?: { readonly signal?: AbortSignal }): Promise<Id<R>[]>;
  link(id: Id<R>, relation: ManyToManyName<R>, targetId: unknown): Promise<void>;
  unlink(id: Id<R>, relation: ManyToManyName<R>, targetId: unknown): Promise<void>;
  /**
   * Yields the changes from this call on, each as the caller may see it. Ends with `return` or when the signal aborts;
   * throws `UNAVAILABLE` if changes were missed. Keep reading: unread changes are buffered.
   */
  watch<const S = undefined>(
    query?: WatchQuery<R, All, S> & {
      /** Resumes after the change with this id. */
      readonly after?: string;
    },
  ): AsyncIterableIterator<LocalChange<Selected<R, All, S>>>;
  /**
   * Yields the current rows first, at most one page of maximum size, and then their changes, without gaps or
   * duplicates.
   */
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
