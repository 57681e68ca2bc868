import type { Kind } from "./values.ts";

export interface PlannedField {
  readonly name: string;
  readonly kind: Kind;
  readonly nullable: boolean;
  /** The resource that it references. */
  readonly to?: string;
  readonly isTenant?: boolean;
}
