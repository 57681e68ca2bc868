import type { FilterKind, Operator, OperatorTable } from "./operators.ts";

/** The operators of a field by its type. A bare value is short for `eq`. */
export type FieldFilter<T> = FieldFilterOf<NonNullable<T>> | (NonNullable<T> extends readonly unknown[] ? never : T);

type FieldFilterOf<T> = [T] extends [boolean]
  ? OperatorsOf<"boolean", T>
  : [T] extends [string]
    ? OperatorsOf<IsListed<T> extends true ? "enum" : "string", T>
    : [T] extends [number | bigint | Date]
      ? OperatorsOf<"number", T>
      : [T] extends [readonly (infer Item)[]]
        ? ListOperatorsOf<Item, NonNullable<Item>>
        : OperatorsOf<"json", T>;

/** Whether a string is an enum or a literal, which only support equality. A branded string is neither. */
type IsListed<T extends string> = {} extends Readonly<Record<T, unknown>> ? false : true;

/** A list whose items are objects or lists has the operators of an object, because databases disagree about their equality. */
type ListOperatorsOf<Item, T> = [T] extends [string | number | bigint | boolean | Date]
  ? OperatorsOf<"list", Item>
  : OperatorsOf<"json", Item>;

/** The operators of one kind of field with their operands. `T`: a value of the field, or of its items. */
type OperatorsOf<Kind extends FilterKind, T> = {
  -readonly [O in keyof OperatorTable as Kind extends OperatorTable[O]["kinds"][number] ? O : never]?: OperandOf<
    OperatorTable[O],
    T
  >;
};

type OperandOf<Traits extends OperatorTable[Operator], T> = Operands<
  Traits["nullable"] extends true ? T | null : T
>[Traits["operand"]];

interface Operands<T> {
  one: T | undefined;
  list: readonly T[];
  pair: readonly [T, T];
  text: string;
  flag: boolean;
}

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
