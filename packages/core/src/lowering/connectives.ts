import { OPERATORS } from "../definition/operators.ts";
import { isPlainObject } from "../errors/refuse.ts";
import type { FilterForm } from "./lower-operand.ts";

/** Returns the branches of an `and` or `or`; undefined if the value isn't a list. A URL numbers them: `filter[or][0]`. */
export function branchesOf(form: FilterForm, value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (form !== "text" || !isPlainObject(value)) return undefined;
  const indexes = Object.keys(value);
  if (!indexes.every((index) => /^\d{1,4}$/.test(index))) return undefined;
  return indexes.sort((a, b) => Number(a) - Number(b)).map((index) => value[index]);
}

/**
 * Returns the connectives that could have this value, to suggest them for a misspelled name. So `nott: { title: … }` can
 * mean `not`, but `note: "x"` is a field.
 */
export function connectivesWith(form: FilterForm, value: unknown): readonly string[] {
  if (branchesOf(form, value)?.every(isPlainObject) === true) return ["and", "or"];
  const isCondition = !isPlainObject(value) || Object.keys(value).some((name) => Object.hasOwn(OPERATORS, name));
  return isCondition ? [] : ["not"];
}
