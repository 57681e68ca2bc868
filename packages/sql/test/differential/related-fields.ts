import { avg, count, max, min, sum } from "@bifocal/core";
import type { Json, NamedRelatedValue, RelatedValue, ResourceModel } from "@bifocal/core/store";
import fc from "fast-check";
import { fieldFilterOf, type World } from "./field-filter.ts";
import type { PlannedField } from "./planned-field.ts";
import { type Kind, valuesOf } from "./values.ts";

/** Kinds in which the sums of databases are exact, whatever their order. */
const SUMMED: ReadonlySet<Kind> = new Set(["int32", "integer", "bigint", "decimal"]);
const ORDERED: ReadonlySet<Kind> = new Set([...SUMMED, "number", "text", "email", "date", "moment"]);

/** Declares a computed field for each function of each field of the related rows: `rowsSum_price`. */
export function relatedFieldsOf(relation: string, target: readonly PlannedField[]): Record<string, unknown> {
  const declared: Record<string, unknown> = { [`${relation}Count`]: count(relation) };
  for (const { name, kind, isTenant } of target) {
    // No computed field can reveal a tenant.
    if (isTenant === true) continue;
    if (SUMMED.has(kind)) {
      declared[`${relation}Sum_${name}`] = sum(relation, name);
      declared[`${relation}Avg_${name}`] = avg(relation, name);
    }
    if (!ORDERED.has(kind)) continue;
    declared[`${relation}Min_${name}`] = min(relation, name);
    declared[`${relation}Max_${name}`] = max(relation, name);
  }
  return declared;
}

export interface PlannedRelatedField {
  readonly name: string;
  /** Values that are compared with it. */
  readonly operands: fc.Arbitrary<Json>;
  readonly value: () => fc.Arbitrary<RelatedValue>;
}

/** The computed fields of a resource, each over the related rows that match any condition. */
export function plannedRelatedFields(world: World, resource: ResourceModel): readonly PlannedRelatedField[] {
  return [...resource.computed.values()].flatMap(({ name, type, computation }) => {
    const relation = computation.kind === "related" ? resource.relations.get(computation.relation) : undefined;
    if (computation.kind !== "related" || relation === undefined) return [];
    const { field, function: own } = computation;
    const kind = world.fields(relation.target).find((one) => one.name === field)?.kind;
    const value = (): fc.Arbitrary<RelatedValue> =>
      fc.record({
        relation: fc.constant(relation),
        kind: fc.constant(own === "count" ? "rows" : own),
        field: fc.constant(field),
        filter: fc.option(fieldFilterOf(world, relation.target), { nil: undefined }),
        type: fc.constant(type),
      });
    return [{ name, operands: operandsFor(own, kind), value }];
  });
}

function operandsFor(own: string, kind: Kind | undefined): fc.Arbitrary<Json> {
  if (kind === undefined) return fc.nat(3);
  if (own !== "avg") return valuesOf(kind);
  return kind === "decimal"
    ? fc.oneof(valuesOf(kind), fc.constantFrom("0.33333333", "-6.66500000", "4.99500000"))
    : fc.oneof(fc.integer({ min: -2, max: 5 }), fc.constantFrom(0.5, -0.5, 1 / 3, 2 ** 30, 2 ** 62));
}

/** Up to three values that a read adds to its rows. */
export function relatedValuesOf(world: World, name: string): fc.Arbitrary<readonly NamedRelatedValue[]> {
  const planned = plannedRelatedFields(world, world.resource(name));
  if (planned.length === 0) return fc.constant([]);
  const one = fc.constantFrom(...planned).chain(({ name: as, value }) => value().map((own) => ({ ...own, name: as })));
  return fc.uniqueArray(one, { maxLength: 3, selector: (value) => value.name });
}
