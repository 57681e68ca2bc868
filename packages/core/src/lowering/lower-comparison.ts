import type { FieldModel } from "../model/model.ts";
import type { Operator } from "../model/operators.ts";
import type { Json } from "../util/json.ts";
import { andFilters, type CompareFilter, type Filter, orFilters } from "../operation/filter.ts";
import type { Limits } from "../limits/limits.ts";
import { type FilterForm, lowerFlag, lowerFragment, lowerOperand } from "./lower-operand.ts";
import { type Path, quote, refuse } from "../errors/refuse.ts";

/** Lowers one operator of a field with its operand. `limits` is absent for trusted filters. */
export function lowerComparison(
  field: FieldModel,
  operator: Operator,
  raw: unknown,
  options: { readonly form: FilterForm; readonly limits: Limits | undefined; readonly path: Path },
): Filter {
  const { form, limits, path } = options;
  const compare = (value: Json, by = operator): CompareFilter => ({
    kind: "compare",
    field: field.name,
    operator: by,
    value,
  });
  const isNull = (value: boolean): CompareFilter => compare(value, "isNull");
  const operands = (item: boolean, list = operandList(raw, form, limits, path)): Json[] =>
    list.map((one, index) => lowerOperand(field, one, form, [...path, index], item));

  switch (operator) {
    case "isNull":
      return isNull(lowerFlag(raw, form, path));
    case "eq":
      return raw === null ? isNull(true) : compare(lowerOperand(field, raw, form, path));
    case "ne":
      return raw === null ? isNull(false) : compare(lowerOperand(field, raw, form, path));
    case "in":
    case "notIn": {
      const list = operandList(raw, form, limits, path);
      const present = list.filter((one) => one !== null);
      const members = compare(operands(false, present));
      if (present.length === list.length) return members;
      // `null` among the values matches rows without a value. Stores never see it.
      return operator === "in" ? orFilters(members, isNull(true)) : (andFilters(members, isNull(false)) as Filter);
    }
    case "between": {
      const bounds = operands(false);
      if (bounds.length !== 2)
        return refuse(path, "invalid_operand", `${quote("between")} needs two values: the lower and the upper bound.`);
      return compare(bounds);
    }
    case "hasSome":
    case "hasEvery":
      return compare(operands(true));
    case "has":
      return compare(lowerOperand(field, raw, form, path, true));
    case "contains":
    case "startsWith":
    case "endsWith":
    case "icontains":
    case "istartsWith":
    case "iendsWith":
      return compare(lowerFragment(raw, form, path));
    default:
      return compare(lowerOperand(field, raw, form, path));
  }
}

/** A URL repeats the parameter for a list, so a single value is also a list. */
function operandList(raw: unknown, form: FilterForm, limits: Limits | undefined, path: Path): readonly unknown[] {
  const list: unknown = form === "text" && typeof raw === "string" ? [raw] : raw;
  if (!Array.isArray(list)) return refuse(path, "invalid_operand", `${quote(path.at(-1))} must be a list.`);
  if (limits !== undefined && list.length > limits.listOperand) {
    const message = `${quote(path.at(-1))} can have at most ${limits.listOperand} values; received ${list.length}.`;
    return refuse(path, "too_many", message);
  }
  return list;
}
