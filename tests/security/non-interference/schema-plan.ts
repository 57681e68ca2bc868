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
  /** Deletions of rows keep them, and they can be restored. */
  readonly hasSoftDelete: boolean;
  /** Changes of rows are recorded. */
  readonly hasHistory: boolean;
  /** The definition of rows is composed of traits. */
  readonly hasTraits: boolean;
  /** A separate rule for writing `price`. */
  readonly hasPriceWrite: boolean;
  /** Separate rules for reading along relations. */
  readonly hasRelationRules: boolean;
  readonly onDeleteBox: OnDelete;
  readonly onDeleteRow: OnDelete;
  readonly fields: readonly FieldPlan[];
}

/** With soft delete, the type of its result would be `DeletedRows`, which GraphQL schemas already have. */
export function hasBulkDelete({ requirePrecondition, hasSoftDelete }: SchemaPlan): boolean {
  return !requirePrecondition && !hasSoftDelete;
}

const NAMES = ["note", "rank", "aB2"].map((name) => `${name}X`);
const kinds = Object.keys(VALUE_KINDS) as ValueKindName[];
const field = fc.record({
  kind: fc.constantFrom(...kinds),
  isNullable: fc.boolean(),
  isRuled: fc.boolean(),
  isImmutable: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

type Drawn = Omit<SchemaPlan, "hasCreates" | "hasSoftDelete" | "hasHistory" | "hasTraits" | "referencesGroup">;

const schemaPlan: fc.Arbitrary<Drawn> = fc
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
    globalIds: fc.boolean(),
    hasComputed: fc.boolean(),
    hasPriceWrite: fc.boolean(),
    hasRelationRules: fc.boolean(),
    onDeleteBox: fc.constantFrom<OnDelete>("restrict", "setNull"),
    onDeleteRow: fc.constantFrom<OnDelete>("restrict", "cascade", "setNull"),
    fields: fc.array(field, { maxLength: NAMES.length }),
  })
  .map((plan) => ({ ...plan, fields: plan.fields.map((one, at) => ({ name: NAMES[at] as string, ...one })) }));

/** Draws schemas. The features that many requests need are in at least every second schema, also if there are few. */
export function drawPlans(seed: number, count: number): readonly SchemaPlan[] {
  return fc.sample(schemaPlan, { seed, numRuns: count }).map((plan, at) => {
    const hasCreates = at % 2 === 1;
    const hasSoftDelete = at % 4 < 2;
    return {
      ...plan,
      hasCreates,
      hasSoftDelete,
      hasHistory: at % 4 !== 2,
      hasTraits: at % 3 !== 1,
      // A nested row couldn't get a field that only the server sets.
      referencesGroup: !hasCreates,
      // Notes are removed for good, so a deletion that can be undone must not delete them.
      onDeleteRow: hasSoftDelete && plan.onDeleteRow === "cascade" ? "setNull" : plan.onDeleteRow,
    };
  });
}
