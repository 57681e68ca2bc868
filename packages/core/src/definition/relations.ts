/** What happens to the rows that point at a row being deleted. */
export type OnDelete = "restrict" | "cascade" | "setNull";

export interface BelongsTo<Target extends string = string, Field extends string = string> {
  readonly kind: "belongsTo";
  readonly target: Target;
  readonly field: Field;
  readonly onDelete: OnDelete;
}

export interface HasMany<Target extends string = string> {
  readonly kind: "hasMany";
  readonly target: Target;
  readonly field: string;
}

export interface HasOne<Target extends string = string> {
  readonly kind: "hasOne";
  readonly target: Target;
  readonly field: string;
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
 * This row holds the target's key in `field`.
 *
 * @param options.onDelete What deleting the target does here: `restrict` (default) answers 409 while rows point
 * at it, `cascade` deletes them too, `setNull` empties the field.
 */
export function belongsTo<const Target extends string, const Field extends string>(
  target: Target,
  field: Field,
  options: { readonly onDelete?: OnDelete } = {},
): BelongsTo<Target, Field> {
  return { kind: "belongsTo", target, field, onDelete: options.onDelete ?? "restrict" };
}

/** Rows of the target hold this row's key in `field`. */
export function hasMany<const Target extends string>(target: Target, field: string): HasMany<Target> {
  return { kind: "hasMany", target, field };
}

/** At most one row of the target holds this row's key in `field`, which is `unique` there. */
export function hasOne<const Target extends string>(target: Target, field: string): HasOne<Target> {
  return { kind: "hasOne", target, field };
}

/**
 * Rows on both sides have many of each other, kept as links.
 *
 * @param options.through The name of the link table. Default: both resource names in alphabetical order, joined
 * by `_`, so that the two sides agree.
 * @param options.from The link's column with this side's key (default `<resource>Id`); `to`: with the target's.
 */
export function manyToMany<const Target extends string>(
  target: Target,
  options: { readonly through?: string; readonly from?: string; readonly to?: string } = {},
): ManyToMany<Target> {
  return { kind: "manyToMany", target, through: options.through, from: options.from, to: options.to };
}
