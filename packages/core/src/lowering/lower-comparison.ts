import { type Operator, OPERATORS } from "../definition/operators.ts";
import type { ComparedModel } from "../model/model.ts";
import type { Json } from "../util/json.ts";
import { andFilters, type CompareFilter, type Filter, orFilters } from "../operation/filter.ts";
import type { Limits } from "../limits/limits.ts";
import { type FilterForm, lowerFlag, lowerFragment, lowerOperand } from "./lower-operand.ts";
import { type Path, quote, refuse } from "../errors/refuse.ts";

/** Lowers one operator of a field with its operand. `limits` is absent for trusted filters. */
export function lowerComparison(
  field: ComparedModel,
  operator: Operator,
  raw: unknown,
  options: { readonly form: FilterForm; readonly limits: Limits | undefined; readonly path: Path },
): Filter {
  const { form, limits, path } = options;
  const { operand, nullable, matchesMissing } = OPERATORS[operator];
  const compare = (value: Json, by = operator): CompareFilter => ({
    kind: "compare",
    field: field.name,
    operator: by,
    value,
  });
  const lowerList = (list: readonly unknown[]): Json[] =>
    list.flatMap((one, index) => (nullable && one === null ? [] : [lowerOperand(field, one, form, [...path, index])]));

  switch (operand) {
    case "flag":
      return compare(lowerFlag(raw, form, path));
    case "text":
      return compare(lowerFragment(raw, form, path));
    case "one":
      if (nullable && raw === null) return compare(!matchesMissing, "isNull");
      return compare(lowerOperand(field, raw, form, path));
    case "pair": {
      const bounds = lowerList(operandList(raw, form, limits, path));
      if (bounds.length === 2) return compare(bounds);
      const message = `${quote(operator)} needs two values: the lower and the upper bound.`;
      return refuse(path, "invalid_operand", message);
    }
    case "list": {
      const list = operandList(raw, form, limits, path);
      const members = compare(lowerList(list));
      if (!nullable || !list.includes(null)) return members;
      // `null` among the values stands for rows without a value. Stores never see it.
      const isMissing = compare(!matchesMissing, "isNull");
      return matchesMissing ? (andFilters(members, isMissing) as Filter) : orFilters(members, isMissing);
    }
  }
}

/** Reads a list operand. A URL repeats a parameter to send a list, so a single value in a URL is also a list. */
function operandList(raw: unknown, form: FilterForm, limits: Limits | undefined, path: Path): readonly unknown[] {
  const list: unknown = form === "text" && typeof raw === "string" ? [raw] : raw;
  if (!Array.isArray(list)) return refuse(path, "invalid_operand", `${quote(path.at(-1))} must be a list.`);
  if (limits !== undefined && list.length > limits.query.listOperand) {
    const message = `${quote(path.at(-1))} can have at most ${limits.query.listOperand} values; received ${list.length}.`;
    return refuse(path, "too_many", message);
  }
  return list;
}
