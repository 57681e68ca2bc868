import type { FieldShape } from "./fields.ts";
import type { RelationShape } from "./relations.ts";

/** The types of a definition, one property each. `defineResource` infers them. */
export interface ConfigTypes {
  readonly fields: FieldShape;
  readonly relations: RelationShape;
  readonly generated: unknown;
  readonly key: unknown;
  readonly filterable: string;
  readonly sortable: string;
  readonly internal: string;
  readonly immutable: string;
  readonly version: string;
  readonly filled: string;
  readonly ons: unknown;
  readonly inputs: unknown;
  readonly outputs: unknown;
  /** The rule `access.read`. */
  readonly read: unknown;
}
