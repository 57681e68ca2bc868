import type { Filter, ResourceModel } from "@bifocal/core/store";
import fc from "fast-check";
import type { PlannedField } from "./planned-field.ts";
import { operandOf } from "./values.ts";

/** A resource, with the plan of its fields. */
export interface World {
  readonly resource: (name: string) => ResourceModel;
  readonly fields: (resource: string) => readonly PlannedField[];
  /** Whether filters and sorts can be those of searches, which no request can write as a filter. */
  readonly hasSearches?: boolean;
}

const constant = (value: boolean): Filter => ({ kind: "constant", value });

/** A condition on a stored field. */
export function fieldFilterOf(world: World, name: string): fc.Arbitrary<Filter> {
  const { fields } = world.resource(name);
  const planned = world.fields(name).flatMap(({ name: field, kind }) => {
    const model = fields.get(field);
    return (model?.operators ?? []).map((operator) =>
      operandOf(kind, model?.type as never, operator).map(
        (value): Filter => ({ kind: "compare", field, operator, value }),
      ),
    );
  });
  return fc.oneof(
    { weight: 20, arbitrary: fc.oneof(...planned) },
    { weight: 1, arbitrary: fc.boolean().map(constant) },
  );
}
