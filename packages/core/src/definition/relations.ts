// Unknown options stay in a relation, so that `defineApi` can report them with its other mistakes.

/** The effect of a deletion on the rows that reference the deleted row. */
export type OnDelete = "restrict" | "cascade" | "setNull";

/** `Creates` is the number of target rows that an input for this row may contain. 0 forbids them. */
export interface BelongsTo<
  Target extends string = string,
  Field extends string = string,
  Creates extends number = number,
> {
  readonly kind: "belongsTo";
  readonly target: Target;
  readonly field: Field;
  readonly onDelete: OnDelete;
  readonly creates: Creates;
}

export interface HasMany<
  Target extends string = string,
  Field extends string = string,
  Creates extends number = number,
> {
  readonly kind: "hasMany";
  readonly target: Target;
  readonly field: Field;
  readonly creates: Creates;
}

export interface HasOne<
  Target extends string = string,
  Field extends string = string,
  Creates extends number = number,
> {
  readonly kind: "hasOne";
  readonly target: Target;
  readonly field: Field;
  readonly creates: Creates;
}

export interface ManyToMany<Target extends string = string> {
  readonly kind: "manyToMany";
  readonly target: Target;
  readonly through: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export type Relation = BelongsTo | HasMany | HasOne | ManyToMany;
export type RelationShape = Readonly<Record<string, Relation>>;

/**
 * Rows of this resource hold the target's key in `field`.
 * @param options.onDelete What deleting the target does to this row: `restrict` (default) rejects it with 409 while
 * rows reference it, `cascade` deletes them too, `setNull` clears the field.
 * @param options.creates 1: an input for this row may contain a new target in place of `field`. Default 0.
 */
export function belongsTo<const Target extends string, const Field extends string, const Creates extends 0 | 1 = 0>(
  target: Target,
  field: Field,
  { onDelete = "restrict", creates, ...unknown }: { readonly onDelete?: OnDelete; readonly creates?: Creates } = {},
): BelongsTo<Target, Field, NoInfer<Creates>> {
  return { ...unknown, kind: "belongsTo", target, field, onDelete, creates: creates ?? (0 as Creates) };
}

/**
 * Rows of the target hold this row's key in `field`.
 * @param options.creates How many new targets an input for this row may contain. Default 0.
 */
export function hasMany<const Target extends string, const Field extends string, const Creates extends number = 0>(
  target: Target,
  field: Field,
  { creates, ...unknown }: { readonly creates?: Creates } = {},
): HasMany<Target, Field, NoInfer<Creates>> {
  return { ...unknown, kind: "hasMany", target, field, creates: creates ?? (0 as Creates) };
}

/**
 * At most one row of the target holds this row's key in `field`, which is `unique` there.
 * @param options.creates 1: an input for this row may contain a new target. Default 0.
 */
export function hasOne<const Target extends string, const Field extends string, const Creates extends 0 | 1 = 0>(
  target: Target,
  field: Field,
  { creates, ...unknown }: { readonly creates?: Creates } = {},
): HasOne<Target, Field, NoInfer<Creates>> {
  return { ...unknown, kind: "hasOne", target, field, creates: creates ?? (0 as Creates) };
}

/**
 * Rows on each side are linked to many on the other. The links are stored in a link table.
 * @param options.through The name of the link table. Default: both resource names in alphabetical order, joined by `_`,
 * so that the two sides agree.
 * @param options.from The link's column with this side's key (default `<resource>Id`); `to`: with the target's.
 */
export function manyToMany<const Target extends string>(
  target: Target,
  { through, from, to, ...unknown }: { readonly through?: string; readonly from?: string; readonly to?: string } = {},
): ManyToMany<Target> {
  return { ...unknown, kind: "manyToMany", target, through, from, to };
}
