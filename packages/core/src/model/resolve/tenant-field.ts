import type { RawConfig } from "./draft.ts";
import { isObject } from "./read-config.ts";

/** Returns the name of the field with the tenant of a row, without checking it. */
export function tenantField({ tenant }: RawConfig): unknown {
  return isObject(tenant) ? tenant["field"] : undefined;
}
