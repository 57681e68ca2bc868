import type { FieldShape } from "./fields.ts";
import type { RelationShape } from "./relations.ts";
import type { OwnComputed } from "./computed-value.ts";
import type { ConfigTypes, DefinitionTypes, HistoryConfig } from "./config-types.ts";
import type { OperationName, StyleOperations } from "./operation-names.ts";
import type { ResourceConfig } from "./resource-config.ts";
import type { ResolveTypes, ResourceTypes } from "./resource-types.ts";

/** A defined resource. Only `defineApi` reads its contents. */
export interface Resource<Name extends string = string, T extends object = ResourceTypes> {
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
  Computed = {},
  const ComputedName extends string = never,
  const ComputedFrom extends string = never,
  const Ons = {},
  Inputs = {},
  Outputs = {},
  const QueryOns = {},
  QueryInputs = {},
  QueryOutputs = {},
  const Key extends (keyof Fields & string) | readonly (keyof Fields & string)[] = DefaultKey<Fields>,
  const Filterable extends (keyof Fields & string) | ComputedName = never,
  const Sortable extends (keyof Fields & string) | ComputedName = never,
  const Internal extends keyof Fields & string = never,
  const Immutable extends keyof Fields & string = never,
  const Version extends keyof Fields & string = never,
  Read = unknown,
  const Filled extends keyof Fields & string = never,
  const Aggregatable extends keyof Fields & string = never,
  const Groupable extends (keyof Fields & string) | `${keyof Relations & string}.${string}` = never,
  const SoftDelete extends keyof Fields & string = never,
  const Tenant extends keyof Fields & string = never,
  const Operations extends readonly OperationName[] | StyleOperations = never,
  const History extends boolean | HistoryConfig = false,
  const Search extends (keyof Fields & string) | `${keyof Relations & string}.${string}` = never,
  // The types that the actions and hooks see. Instantiating a parameter is much less work than the type itself.
  Own = ResolveTypes<
    DefinitionTypes<
      Fields,
      Relations,
      Generated,
      OwnComputed<ComputedName>,
      ComputedName,
      ComputedFrom,
      Key,
      Filterable,
      Sortable,
      Aggregatable,
      Groupable,
      Internal,
      Immutable,
      Version,
      SoftDelete,
      Tenant,
      History,
      Search,
      Ons,
      Inputs,
      Outputs,
      QueryOns,
      QueryInputs,
      QueryOutputs,
      Read,
      Filled,
      Operations
    >
  >,
>(
  name: Name,
  config: ResourceConfig<
    {
      fields: Fields;
      relations: Relations;
      generated: Generated;
      computed: Computed;
      computedName: ComputedName;
      computedFrom: ComputedFrom;
      key: Key;
      filterable: Filterable;
      sortable: Sortable;
      aggregatable: Aggregatable;
      groupable: Groupable;
      internal: Internal;
      immutable: Immutable;
      version: Version;
      softDelete: SoftDelete;
      tenant: Tenant;
      history: History;
      search: Search;
      ons: Ons;
      inputs: Inputs;
      outputs: Outputs;
      queryOns: QueryOns;
      queryInputs: QueryInputs;
      queryOutputs: QueryOutputs;
      read: Read;
      filled: Filled;
      operations: Operations;
    },
    Own
  >,
): Resource<
  Name,
  ResolveTypes<
    DefinitionTypes<
      Fields,
      Relations,
      Generated,
      Computed,
      ComputedName,
      ComputedFrom,
      Key,
      Filterable,
      Sortable,
      Aggregatable,
      Groupable,
      Internal,
      Immutable,
      Version,
      SoftDelete,
      Tenant,
      History,
      Search,
      Ons,
      Inputs,
      Outputs,
      QueryOns,
      QueryInputs,
      QueryOutputs,
      Read,
      Filled,
      Operations
    >
  >
> {
  // The config loses its types here, because resources with different rows must fit into one list.
  return { "~bifocal": "resource", name, config: config as never };
}

type DefaultKey<Fields> = "id" extends keyof Fields ? "id" : never;
