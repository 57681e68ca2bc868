import { checkOptionsObject } from "../util/check-call.ts";

// Unknown options stay in a relation, so that `defineApi` can report them with its other mistakes.

/** One field, or several in the order of the fields that they reference. */
export type FieldList = string | readonly string[];

/** The names in a list of fields. */
export type NamesIn<Fields> = Fields extends readonly (infer Name extends string)[] ? Name : Fields;

/** The effect of a deletion on the rows that reference the deleted row. */
export type OnDelete = "restrict" | "cascade" | "setNull";

/** `Creates` is the number of target rows that an input for this row may contain. 0 forbids them. */
export interface BelongsTo<
  Target extends string = string,
  Field extends FieldList = FieldList,
  Creates extends number = number,
  References extends FieldList | undefined = FieldList | undefined,
> {
  readonly kind: "belongsTo";
  readonly target: Target;
  readonly field: Field;
  /** The fields that `field` holds the values of; undefined for the key. */
  readonly references: References;
  readonly onDelete: OnDelete;
  readonly creates: Creates;
}

export interface HasMany<
  Target extends string = string,
  Field extends FieldList = FieldList,
  Creates extends number = number,
  References extends FieldList | undefined = FieldList | undefined,
> {
  readonly kind: "hasMany";
  readonly target: Target;
  readonly field: Field;
  /** The fields that `field` holds the values of; undefined for the key. */
  readonly references: References;
  readonly creates: Creates;
  readonly writes: ChildWrites | undefined;
}

/** How many rows of a relation one update may create, update and delete. Default 0. */
export interface ChildWrites {
  readonly create?: number;
  readonly update?: number;
  readonly delete?: number;
}

export interface HasOne<
  Target extends string = string,
  Field extends FieldList = FieldList,
  Creates extends number = number,
  References extends FieldList | undefined = FieldList | undefined,
> {
  readonly kind: "hasOne";
  readonly target: Target;
  readonly field: Field;
  /** The fields that `field` holds the values of; undefined for the key. */
  readonly references: References;
  readonly creates: Creates;
}

export interface ManyToMany<Target extends string = string> {
  readonly kind: "manyToMany";
  readonly target: Target;
  readonly through: string | undefined;
  readonly from: FieldList | undefined;
  readonly to: FieldList | undefined;
  readonly links: number | undefined;
}

/** Keeps the type of a relation short if the option isn't set. */
type WithOption<Rel, Name extends string, Option> = [Option] extends [undefined]
  ? Rel
  : Rel & { readonly [K in Name]: Option };

export type Relation = BelongsTo | HasMany | HasOne | ManyToMany;
export type RelationShape = Readonly<Record<string, Relation>>;

/**
 * Rows of this resource hold the target's key in `field`: one field, or a list with one for each field of the key. A
 * row with a missing value in one of them references nothing.
 * @param options.onDelete What deleting the target does to this row: `restrict` (default) rejects it with 409 while
 * rows reference it, `cascade` deletes them too, `setNull` clears the fields that can be null.
 * @param options.creates 1: an input for this row may contain a new target in place of `field`. Default 0.
 * @param options.references A unique field of the target, or a unique group of fields, that `field` holds instead of the
 * key.
 * @example belongsTo("seat", ["row", "number"])
 * @example belongsTo("book", "isbn", { references: "isbn" })
 */
export function belongsTo<
  const Target extends string,
  const Field extends FieldList,
  const Creates extends 0 | 1 = 0,
  const References extends FieldList | undefined = undefined,
>(
  target: Target,
  field: Field,
  options: { readonly onDelete?: OnDelete; readonly creates?: Creates; readonly references?: References } = {},
): BelongsTo<Target, Field, NoInfer<Creates>, NoInfer<References>> {
  checkOptionsObject("belongsTo", options);
  const { onDelete = "restrict", creates, references, ...unknown } = options;
  return {
    ...unknown,
    kind: "belongsTo",
    target,
    field,
    references: references as References,
    onDelete,
    creates: creates ?? (0 as Creates),
  };
}

/**
 * Rows of the target hold this row's key in `field`: one field, or a list with one for each field of the key.
 * @param options.creates How many new targets the input of a create may contain. Default 0.
 * @param options.writes How many targets an update of this row may create, update and delete. Default 0.
 * @param options.references A unique field of this resource, or a unique group of fields, that `field` holds instead of
 * the key.
 */
export function hasMany<
  const Target extends string,
  const Field extends FieldList,
  const Creates extends number = 0,
  const References extends FieldList | undefined = undefined,
  const Writes extends ChildWrites | undefined = undefined,
>(
  target: Target,
  field: Field,
  options: { readonly creates?: Creates; readonly references?: References; readonly writes?: Writes } = {},
): WithOption<HasMany<Target, Field, NoInfer<Creates>, NoInfer<References>>, "writes", NoInfer<Writes>> {
  checkOptionsObject("hasMany", options);
  const { creates, references, writes, ...unknown } = options;
  const relation = {
    ...unknown,
    kind: "hasMany",
    target,
    field,
    references: references as References,
    creates: creates ?? (0 as Creates),
    writes,
  } as const;
  return relation as unknown as WithOption<HasMany<Target, Field, Creates, References>, "writes", Writes>;
}

/**
 * At most one row of the target holds this row's key in `field`, which is `unique` there.
 * @param options.creates 1: an input for this row may contain a new target. Default 0.
 * @param options.references A unique field of this resource, or a unique group of fields, that `field` holds instead of
 * the key.
 */
export function hasOne<
  const Target extends string,
  const Field extends FieldList,
  const Creates extends 0 | 1 = 0,
  const References extends FieldList | undefined = undefined,
>(
  target: Target,
  field: Field,
  options: { readonly creates?: Creates; readonly references?: References } = {},
): HasOne<Target, Field, NoInfer<Creates>, NoInfer<References>> {
  checkOptionsObject("hasOne", options);
  const { creates, references, ...unknown } = options;
  return {
    ...unknown,
    kind: "hasOne",
    target,
    field,
    references: references as References,
    creates: creates ?? (0 as Creates),
  };
}

/**
 * Rows on each side are linked to many on the other. The links are stored in a link table.
 * @param options.through The name of the link table. Default: both resource names in alphabetical order, joined by `_`,
 * so that the two sides agree.
 * @param options.from The link's column with this side's key (default `<resource>Id`); `to`: with the target's. For a key
 * of several fields, a list with a column for each (default `<resource><Field>`).
 * @param options.links How many links an input for this row may set, add and remove. Default 0.
 */
export function manyToMany<const Target extends string, const Links extends number | undefined = undefined>(
  target: Target,
  options: {
    readonly through?: string;
    readonly from?: FieldList;
    readonly to?: FieldList;
    readonly links?: Links;
  } = {},
): WithOption<ManyToMany<Target>, "links", NoInfer<Links>> {
  checkOptionsObject("manyToMany", options);
  const { through, from, to, links, ...unknown } = options;
  const relation = { ...unknown, kind: "manyToMany", target, through, from, to, links } as const;
  return relation as unknown as WithOption<ManyToMany<Target>, "links", Links>;
}
