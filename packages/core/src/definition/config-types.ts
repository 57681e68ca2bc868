import type { FieldShape } from "./fields.ts";
import type { RelationShape } from "./relations.ts";

/** How long the entries of a history are kept. */
export interface HistoryConfig {
  /** The age in seconds at which entries are deleted. With `true` instead of this object, they are kept forever. */
  readonly keepFor: number;
}

/** The types of a definition, one property each. `defineResource` infers them. */
export interface ConfigTypes {
  readonly fields: FieldShape;
  readonly relations: RelationShape;
  readonly generated: unknown;
  readonly computed: unknown;
  readonly computedName: string;
  /** The relations that computed fields name. */
  readonly computedFrom: string;
  readonly key: unknown;
  readonly filterable: string;
  readonly sortable: string;
  readonly aggregatable: string;
  readonly groupable: string;
  readonly internal: string;
  readonly immutable: string;
  readonly version: string;
  readonly softDelete: string;
  readonly tenant: string;
  readonly history: boolean | HistoryConfig;
  readonly search: string;
  readonly filled: string;
  readonly operations: unknown;
  readonly ons: unknown;
  readonly inputs: unknown;
  readonly outputs: unknown;
  readonly queryOns: unknown;
  readonly queryInputs: unknown;
  readonly queryOutputs: unknown;
  /** The rule `access.read`. */
  readonly read: unknown;
}

/** The types of one definition. TypeScript instantiates a reference to an interface with less work than an object type. */
export interface DefinitionTypes<
  Fields extends FieldShape,
  Relations extends RelationShape,
  Generated,
  Computed,
  ComputedName extends string,
  ComputedFrom extends string,
  Key,
  Filterable extends string,
  Sortable extends string,
  Aggregatable extends string,
  Groupable extends string,
  Internal extends string,
  Immutable extends string,
  Version extends string,
  SoftDelete extends string,
  Tenant extends string,
  History extends boolean | HistoryConfig,
  Search extends string,
  Ons,
  Inputs,
  Outputs,
  QueryOns,
  QueryInputs,
  QueryOutputs,
  Read,
  Filled extends string,
  Operations,
> {
  readonly fields: Fields;
  readonly relations: Relations;
  readonly generated: Generated;
  readonly computed: Computed;
  readonly computedName: ComputedName;
  readonly computedFrom: ComputedFrom;
  readonly key: Key;
  readonly filterable: Filterable;
  readonly sortable: Sortable;
  readonly aggregatable: Aggregatable;
  readonly groupable: Groupable;
  readonly internal: Internal;
  readonly immutable: Immutable;
  readonly version: Version;
  readonly softDelete: SoftDelete;
  readonly tenant: Tenant;
  readonly history: History;
  readonly search: Search;
  readonly ons: Ons;
  readonly inputs: Inputs;
  readonly outputs: Outputs;
  readonly queryOns: QueryOns;
  readonly queryInputs: QueryInputs;
  readonly queryOutputs: QueryOutputs;
  readonly read: Read;
  readonly filled: Filled;
  readonly operations: Operations;
}
