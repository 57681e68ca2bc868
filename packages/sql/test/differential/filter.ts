import type { Filter, ResourceModel, SortTerm } from "@bifocal/core/store";
import fc from "fast-check";
import type { PlannedField } from "./model.ts";
import { operandOf } from "./values.ts";

/** A resource, with the plan of its fields. */
export interface World {
  readonly resource: (name: string) => ResourceModel;
  readonly fields: (resource: string) => readonly PlannedField[];
}

const constant = (value: boolean): Filter => ({ kind: "constant", value });

/** Any condition that the engine can create, `depth` levels deep. */
export function filterOf(world: World, name: string, depth: number): fc.Arbitrary<Filter> {
  const own = comparisonOf(world, name);
  if (depth === 0) return own;
  const inner = filterOf(world, name, depth - 1);
  const several = fc.array(inner, { maxLength: 3 });
  const relations = [...world.resource(name).relations.values()].map((relation) =>
    fc.record({
      kind: fc.constant("related" as const),
      relation: fc.constant(relation.name),
      quantifier: relation.many ? fc.constantFrom("some", "every", "none") : fc.constant("one"),
      filter: filterOf(world, relation.target, depth - 1),
    }),
  );
  return fc.oneof(
    { weight: 4, arbitrary: own },
    { weight: 1, arbitrary: several.map((filters): Filter => ({ kind: "and", filters })) },
    { weight: 1, arbitrary: several.map((filters): Filter => ({ kind: "or", filters })) },
    { weight: 1, arbitrary: inner.map((filter): Filter => ({ kind: "not", filter })) },
    ...(relations.length === 0
      ? []
      : [{ weight: 3, arbitrary: fc.oneof(...relations) as unknown as fc.Arbitrary<Filter> }]),
  );
}

function comparisonOf(world: World, name: string): fc.Arbitrary<Filter> {
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

/** Sort terms as the engine creates them, with the key at the end. */
export function sortOf(world: World, name: string): fc.Arbitrary<readonly SortTerm[]> {
  const resource = world.resource(name);
  const sortable = (of: ResourceModel): string[] =>
    [...of.fields.values()].filter((field) => field.sortable).map((field) => field.name);
  const paths: SortTerm["path"][] = [
    ...sortable(resource).map((field): [string] => [field]),
    ...[...resource.relations.values()]
      .filter(({ many }) => !many)
      .flatMap((relation) =>
        sortable(world.resource(relation.target)).map((field): [string, string] => [relation.name, field]),
      ),
  ];
  const terms = fc
    .subarray(paths, { maxLength: Math.min(3, paths.length) })
    .chain((chosen) =>
      fc.tuple(
        fc.shuffledSubarray(chosen, { minLength: chosen.length }),
        fc.array(fc.boolean(), { minLength: chosen.length, maxLength: chosen.length }),
      ),
    );
  return terms.map(([chosen, directions]) => {
    const sort = chosen.map((path, at): SortTerm => ({ path, descending: directions[at] === true }));
    const has = (field: string): boolean => sort.some(({ path }) => path.length === 1 && path[0] === field);
    const rest = resource.key.filter((field) => !has(field));
    return [...sort, ...rest.map((field): SortTerm => ({ path: [field], descending: false }))];
  });
}
