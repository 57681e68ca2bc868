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
  const Key extends (keyof Fields & string) | readonly (keyof Fields & string)[] = DefaultKey<Fields>,
  const Filterable extends keyof Fields & string = never,
  const Sortable extends keyof Fields & string = never,
  const Internal extends keyof Fields & string = never,
  const Immutable extends keyof Fields & string = never,
  const Version extends keyof Fields & string = never,
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
    immutable: Immutable;
    version: Version;
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
    immutable: Immutable;
    version: Version;
    ons: Ons;
    inputs: Inputs;
    outputs: Outputs;
  }
> {
  // The config of a resource without relations is one of a resource with none, which no type can tell of any `Relations`.
  return { "~bifocal": "resource", name, config: config as never };
}

type DefaultKey<Fields> = "id" extends keyof Fields ? "id" : never;

/** Where no relation was written, TypeScript infers any name at all. */
type OwnNames<Relations> = string extends keyof Relations ? {} : Relations;
