import type { Key, ResourceModel } from "../model/model.ts";
import { andFilters, type CompareFilter, type Filter, NEVER, orFilters } from "./filter.ts";

/** Returns a filter for the rows with any of these keys. */
export function keysFilter({ key }: ResourceModel, keys: readonly Key[]): Filter {
  return valuesFilter(key, keys);
}

/** Returns a filter for the rows whose fields have any of these values. */
export function valuesFilter(fields: readonly string[], values: readonly Key[]): Filter {
  const [only] = fields;
  if (only !== undefined && fields.length === 1) {
    return { kind: "compare", field: only, operator: "in", value: values as readonly (string | number)[] };
  }
  return orFilters(...values.map((value) => valueFilter(fields, value)));
}

/** Returns a filter for the rows whose fields have a value. */
export function valueFilter(fields: readonly string[], value: Key): Filter {
  const parts = fields.map((field, index): CompareFilter => {
    const part = typeof value === "object" ? (value[index] as string | number) : value;
    return { kind: "compare", field, operator: "eq", value: part };
  });
  return andFilters(...parts) ?? NEVER;
}
