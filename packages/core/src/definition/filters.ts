/** Operators of every field. `null` means that the field has no value. */
interface Equality<T> {
  eq?: T | null | undefined;
  ne?: T | null | undefined;
  in?: readonly (T | null)[];
  notIn?: readonly (T | null)[];
  isNull?: boolean;
}

/** Operators of numbers, dates, times and strings. Bounds of `between` are inclusive. */
interface Ordering<T> {
  lt?: T | undefined;
  lte?: T | undefined;
  gt?: T | undefined;
  gte?: T | undefined;
  between?: readonly [T, T];
}

/** Operators of text; those with an `i` ignore case. */
interface Matching {
  contains?: string;
  startsWith?: string;
  endsWith?: string;
  icontains?: string;
  istartsWith?: string;
  iendsWith?: string;
}

/** Operators of list fields. */
interface Containing<Item> {
  has?: Item;
  hasSome?: readonly Item[];
  hasEvery?: readonly Item[];
  isNull?: boolean;
}

/** The operators of a field by its type. A bare value is short for `eq`. */
export type FieldFilter<T> = FieldFilterOf<NonNullable<T>> | (NonNullable<T> extends readonly unknown[] ? never : T);

type FieldFilterOf<T> = [T] extends [boolean]
  ? Equality<T>
  : [T] extends [string]
    ? IsListed<T> extends true
      ? Equality<T>
      : Equality<T> & Ordering<T> & Matching
    : [T] extends [number | bigint | Date]
      ? Equality<T> & Ordering<T>
      : [T] extends [readonly (infer Item)[]]
        ? ContainingOf<Item, NonNullable<Item>>
        : { isNull?: boolean };

/** Whether a string is an enum or a literal, which only support equality. A branded string is neither. */
type IsListed<T extends string> = {} extends Readonly<Record<T, unknown>> ? false : true;

/** Lists of objects have no equality, so only `isNull` applies. */
type ContainingOf<Item, T> = [T] extends [string | number | bigint | boolean | Date]
  ? Containing<Item>
  : { isNull?: boolean };

/** Matches if `some`, `every` or `none` of the related rows match. */
export interface ManyFilter<F> {
  some?: F;
  every?: F;
  none?: F;
}

/**
 * A filter over fields and relations. All its conditions must match; `and`, `or` and `not` can be nested at any level.
 */
export type FilterOf<Row, Related = unknown> = {
  // A single mapped type over all names: an intersection with an empty type would accept any name.
  [K in keyof Row | keyof Related]?: K extends keyof Row
    ? FieldFilter<Row[K]>
    : K extends keyof Related
      ? Related[K]
      : never;
} & {
  and?: readonly FilterOf<Row, Related>[];
  or?: readonly FilterOf<Row, Related>[];
  not?: FilterOf<Row, Related>;
};

/** A filter whose fields the compiler doesn't know: for relations inside a rule, and plain JavaScript. */
export type AnyFilter = { readonly [key: string]: unknown };
