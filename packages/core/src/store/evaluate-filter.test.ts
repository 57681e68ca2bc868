import { expect, test } from "vitest";
import { bookRow, libraryModel } from "../../test/library.ts";
import { OPERATOR_NAMES, OPERATORS } from "../definition/operators.ts";
import type { ResourceModel } from "../model/model.ts";
import type { Json } from "../util/json.ts";
import { evaluateFilter } from "./evaluate-filter.ts";

const model = libraryModel();
const resource = model.resources.get("book") as ResourceModel;
const OPERANDS: Readonly<Record<string, Json>> = { one: "x", text: "x", list: ["x"], pair: ["x", "y"], flag: true };

test("only the opposites of other operators and isNull match a row without a value", () => {
  const row = { ...bookRow("1", {}), title: null };
  const matching = OPERATOR_NAMES.filter((operator) => {
    const value = OPERANDS[OPERATORS[operator].operand] as Json;
    return evaluateFilter({ kind: "compare", field: "title", operator, value }, row, resource, () => [], model);
  });
  expect(matching).toEqual(["ne", "notIn", "isNull", "notContains"]);
});
