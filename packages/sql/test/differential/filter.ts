import type { FieldModel, Filter, ResourceModel, SortTerm } from "@bifocal/core/store";
import fc from "fast-check";
import { fieldFilterOf, type World } from "./field-filter.ts";
import { searchOf } from "./search.ts";
import { type PlannedRelatedField, plannedRelatedFields } from "./related-fields.ts";
import { operandFrom } from "./values.ts";

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
  const search = searchOf(world, name);
  return fc.oneof(
    { weight: 4, arbitrary: own },
    ...(search === undefined ? [] : [{ weight: 2, arbitrary: search.map(({ filter }) => filter) }]),
    { weight: 1, arbitrary: several.map((filters): Filter => ({ kind: "and", filters })) },
    { weight: 1, arbitrary: several.map((filters): Filter => ({ kind: "or", filters })) },
    { weight: 1, arbitrary: inner.map((filter): Filter => ({ kind: "not", filter })) },
    ...(relations.length === 0
      ? []
      : [{ weight: 3, arbitrary: fc.oneof(...relations) as unknown as fc.Arbitrary<Filter> }]),
  );
}

function comparisonOf(world: World, name: string): fc.Arbitrary<Filter> {
  const resource = world.resource(name);
  const related = plannedRelatedFields(world, resource);
  const own = fieldFilterOf(world, name);
  if (related.length === 0) return own;
  const computed = fc.constantFrom(...related).chain((field) => relatedComparison(resource, field));
  return fc.oneof({ weight: 4, arbitrary: own }, { weight: 1, arbitrary: computed });
}

function relatedComparison(
  { computed }: ResourceModel,
  { name: field, operands, value: related }: PlannedRelatedField,
): fc.Arbitrary<Filter> {
  const { type, operators } = computed.get(field) as FieldModel;
  return fc.constantFrom(...operators).chain((operator) => {
    return fc.record({
      kind: fc.constant("compare" as const),
      field: fc.constant(field),
      operator: fc.constant(operator),
      value: operandFrom(operands, type, operator),
      related: related(),
    });
  });
}

/** Returns the condition that the engine adds for the rows along a relation. */
export function livingFilter(world: World, { relations }: ResourceModel, relation: string): Filter | undefined {
  const { softDelete } = world.resource(relations.get(relation)?.target as string);
  return softDelete === undefined ? undefined : { kind: "compare", field: softDelete, operator: "isNull", value: true };
}

/** Sort terms as the engine creates them, with the key at the end. Stores can sort by every field with such an order. */
export function sortOf(world: World, name: string): fc.Arbitrary<readonly SortTerm[]> {
  const resource = world.resource(name);
  const sortable = (of: ResourceModel): string[] =>
    [...of.fields.values()].filter((field) => field.filterable).map((field) => field.name);
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
  const planned = plannedRelatedFields(world, resource);
  const computed: fc.Arbitrary<SortTerm | undefined> =
    planned.length === 0
      ? fc.constant(undefined)
      : fc
          .constantFrom(...planned)
          .chain(({ name: field, value }) =>
            fc.record({ path: fc.constant([field] as const), descending: fc.boolean(), related: value() }),
          );
  const relevance = searchOf(world, name)?.map((search): SortTerm => search.relevance);
  const leading = relevance === undefined ? computed : fc.oneof(computed, relevance);
  return fc.tuple(fc.option(leading, { nil: undefined, freq: 2 }), terms).map(([first, [chosen, directions]]) => {
    const own = chosen.map((path, at): SortTerm => {
      const [relation, far] = path;
      const filter = far === undefined ? undefined : livingFilter(world, resource, relation);
      return { path, descending: directions[at] === true, ...(filter && { filter }) };
    });
    const sort = first === undefined ? own : [first, ...own];
    const has = (field: string): boolean => sort.some(({ path }) => path.length === 1 && path[0] === field);
    const rest = resource.key.filter((field) => !has(field));
    return [...sort, ...rest.map((field): SortTerm => ({ path: [field], descending: false }))];
  });
}
