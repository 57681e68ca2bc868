import type { OnDelete } from "@bifocal/core";
import fc from "fast-check";
import { VALUE_KINDS, type ValueKindName } from "./values.ts";

/** A field of `row` in addition to those of every world. */
export interface FieldPlan {
  readonly name: string;
  readonly kind: ValueKindName;
  readonly isNullable: boolean;
  /** A rule decides who can read it. */
  readonly isRuled: boolean;
  readonly isImmutable: boolean;
}

/** The differences between schemas, as plain data, so that failures print them. */
export interface SchemaPlan {
  /** Clients choose keys, can change them, and can create rows by `PUT`. */
  readonly hasClientKeys: boolean;
  readonly hasVersion: boolean;
  readonly requirePrecondition: boolean;
  /** An internal field that is also `secret`. */
  readonly hasSecret: boolean;
  readonly hasLinks: boolean;
  readonly hasHooks: boolean;
  readonly hasCreates: boolean;
  /** Rows are referenced by a unique group of two fields, one of which the server sets, instead of the key. */
  readonly referencesGroup: boolean;
  readonly globalIds: boolean;
  /** Rows have computed fields of each kind. */
  readonly hasComputed: boolean;
  /** A separate rule for writing `price`. */
  readonly hasPriceWrite: boolean;
  /** Separate rules for reading along relations. */
  readonly hasRelationRules: boolean;
  readonly onDeleteBox: OnDelete;
  readonly onDeleteRow: OnDelete;
  readonly fields: readonly FieldPlan[];
}

const NAMES = ["note", "rank", "aB2"].map((name) => `${name}X`);
const kinds = Object.keys(VALUE_KINDS) as ValueKindName[];
const field = fc.record({
  kind: fc.constantFrom(...kinds),
  isNullable: fc.boolean(),
  isRuled: fc.boolean(),
  isImmutable: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

export const schemaPlan: fc.Arbitrary<SchemaPlan> = fc
  .record({
    hasClientKeys: fc.boolean(),
    hasVersion: fc.boolean(),
    requirePrecondition: fc.oneof(
      { weight: 4, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    hasSecret: fc.boolean(),
    hasLinks: fc.boolean(),
    hasHooks: fc.boolean(),
    hasCreates: fc.boolean(),
    globalIds: fc.boolean(),
    hasComputed: fc.boolean(),
    hasPriceWrite: fc.boolean(),
    hasRelationRules: fc.boolean(),
    onDeleteBox: fc.constantFrom<OnDelete>("restrict", "setNull"),
    onDeleteRow: fc.constantFrom<OnDelete>("restrict", "cascade", "setNull"),
    fields: fc.array(field, { maxLength: NAMES.length }),
  })
  .map((plan) => ({
    ...plan,
    // A nested row couldn't get a field that only the server sets.
    referencesGroup: !plan.hasCreates,
    fields: plan.fields.map((one, at) => ({ name: NAMES[at] as string, ...one })),
  }));
