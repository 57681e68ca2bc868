import type { FieldShape } from "./fields.ts";
import type { RelationShape } from "./relations.ts";
import type { ConfigTypes } from "./config-types.ts";
import type { ResourceConfig } from "./resource-config.ts";
import type { ResolveTypes, ResourceTypes } from "./resource-types.ts";

/** A defined resource. Only `defineApi` reads its contents. */
export interface Resource<Name extends string = string, T extends ResourceTypes = ResourceTypes> {
  readonly "~bifocal": "resource";
  readonly "~types"?: T;
  readonly name: Name;
  readonly config: ResourceConfig<ConfigTypes>;
}

/**
 * Defines a resource for REST, GraphQL, subscriptions and local calls. Nothing is checked at run time here: `defineApi`
 * checks all resources together and reports all mistakes at once.
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
  Read = unknown,
  const Filled extends keyof Fields & string = never,
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
    read: Read;
    filled: Filled;
  }>,
): Resource<
  Name,
  ResolveTypes<{
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
    read: Read;
    filled: Filled;
  }>
> {
  // The config loses its types here, because resources with different rows must fit into one list.
  return { "~bifocal": "resource", name, config: config as never };
}

type DefaultKey<Fields> = "id" extends keyof Fields ? "id" : never;
