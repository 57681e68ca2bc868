import type { Key, ResourceModel } from "../model/model.ts";
import { andFilters, type Filter, NEVER, orFilters } from "./filter.ts";

/** Returns a filter for the rows with any of these keys. */
export function keysFilter({ key: names }: ResourceModel, keys: readonly Key[]): Filter {
  const [only] = names;
  if (only !== undefined && names.length === 1) {
    return { kind: "compare", field: only, operator: "in", value: keys as readonly (string | number)[] };
  }
  return orFilters(...keys.map((key) => keyFilter(names, key as readonly (string | number)[])));
}

function keyFilter(names: readonly string[], key: readonly (string | number)[]): Filter {
  const parts = names.map(
    (field, index) => ({ kind: "compare", field, operator: "eq", value: key[index] as string | number }) as const,
  );
  return andFilters(...parts) ?? NEVER;
}
