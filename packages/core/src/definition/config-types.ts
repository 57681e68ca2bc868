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
