/** Operators that every field has. `null` stands for "no value". */
interface Equality<T> {
  eq?: T | null | undefined;
  ne?: T | null | undefined;
  in?: readonly (T | null)[];
  notIn?: readonly (T | null)[];
  isNull?: boolean;
}

/** Numbers, dates, times and strings also have an order. Bounds of `between` are inclusive. */
interface Ordering<T> {
  lt?: T | undefined;
  lte?: T | undefined;
  gt?: T | undefined;
  gte?: T | undefined;
  between?: readonly [T, T];
}

/** Text operators; those with an `i` ignore case. */
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

/** The operators of a field by its type; a bare value is short for `eq`. */
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

/** Whether a string is one of an enum or a literal, which are compared by equality alone; a branded string is none. */
type IsListed<T extends string> = {} extends Readonly<Record<T, unknown>> ? false : true;

/** Of what has parts of its own nothing says whether two are the same. */
type ContainingOf<Item, T> = [T] extends [string | number | bigint | boolean | Date]
  ? Containing<Item>
  : { isNull?: boolean };

/** `some`, `every` or `none` of the related rows match. */
export interface ManyFilter<F> {
  some?: F;
  every?: F;
  none?: F;
}

/** A filter over fields and relations, joined by `and`; with explicit `and`, `or` and `not` at any level. */
export type FilterOf<Row, Related = unknown> = {
  // One type of all names: an intersection with an empty one would take any name.
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

/** A filter whose fields are not known to the compiler: relations inside a rule, plain JavaScript. */
export type AnyFilter = { readonly [key: string]: unknown };
