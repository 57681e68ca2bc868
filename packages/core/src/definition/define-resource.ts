import type { FieldShape } from "./fields.ts";
import type { RelationShape } from "./relations.ts";
import type { Resource, ResourceConfig } from "./resource.ts";

/**
 * Defines a resource once, for REST, GraphQL, subscriptions and local calls alike.
 *
 * Nothing is checked at run time here: `defineApi` sees all resources together and reports all mistakes at once.
 *
 * @example
 * const author = defineResource("author", {
 *   fields: { id: z.uuid(), name: z.string().min(1) },
 *   generated: { id: uuid() },
 *   relations: { books: hasMany("book", "authorId") },
 *   access: { read: allow, create: hasRole("editor"), update: hasRole("editor"), delete: deny },
 * });
 */
export function defineResource<
  const Name extends string,
  Fields extends FieldShape,
  const Relations extends RelationShape = {},
  Generated = {},
  const Ons = {},
  Inputs = {},
  Outputs = {},
  const Key = "id",
  const Filterable extends string = never,
  const Sortable extends string = never,
  const Internal extends string = never,
>(
  name: Name,
  config: ResourceConfig<{
    fields: Fields;
    relations: Relations;
    generated: Generated;
    key: Key;
    filterable: Filterable;
    sortable: Sortable;
    internal: Internal;
    ons: Ons;
    inputs: Inputs;
    outputs: Outputs;
  }>,
): Resource<
  Name,
  {
    fields: Fields;
    relations: OwnNames<Relations>;
    generated: Generated;
    key: Key;
    filterable: Filterable;
    sortable: Sortable;
    internal: Internal;
    ons: Ons;
    inputs: Inputs;
    outputs: Outputs;
  }
> {
  // The config of a resource without relations is one of a resource with none.
  return { "~bifocal": "resource", name, config: config as never };
}

/** Where no relation was written, TypeScript infers any name at all. */
type OwnNames<Relations> = string extends keyof Relations ? {} : Relations;
