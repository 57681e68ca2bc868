import { byId, complete, createElement } from "./elements.ts";
import type { Condition } from "./list-request.ts";
import { completePath, fieldAt, type Model, type ResourceNames } from "./model.ts";

let count = 0;

/** Adds a row of inputs for a condition: a field or a path to one, an operator and a value. */
export function addCondition(
  model: Model,
  resourceOf: () => ResourceNames | undefined,
  { path, operator, value }: Condition,
  onChange: () => void,
): void {
  const row = createElement("div", { className: "condition", role: "group", ariaLabel: `Filter ${++count}` });
  const pathInput = createElement("input", { value: path, autocomplete: "off", placeholder: "field" });
  const operators = createElement("select", {});
  const valueInput = createElement("input", { value, autocomplete: "off", placeholder: "value" });
  const remove = createElement("button", { type: "button", textContent: "×", ariaLabel: "Remove filter" });
  for (const [control, name] of [
    [pathInput, "Field"],
    [operators, "Operator"],
    [valueInput, "Value"],
  ] as const)
    control.ariaLabel = name;
  const paths = complete(pathInput);
  const values = complete(valueInput);

  function showPath(selected = operators.value): void {
    const resource = resourceOf();
    if (resource === undefined) return;
    paths(completePath(model, resource, pathInput.value, true));
    const field = fieldAt(model, resource, pathInput.value);
    const names = field?.operators ?? (selected === "" ? [] : [selected]);
    operators.replaceChildren(...names.map((name) => new Option(name, name, false, name === selected)));
    showValues(field?.values ?? []);
  }
  function showValues(known: readonly string[]): void {
    values(operators.value === "isNull" ? ["true", "false"] : known);
  }
  pathInput.addEventListener("input", () => showPath());
  operators.addEventListener("change", () => showPath());
  remove.addEventListener("click", () => {
    row.remove();
    onChange();
  });
  row.append(pathInput, operators, valueInput, remove);
  byId("conditions").append(row);
  showPath(operator);
}

/** Returns the conditions of all rows. */
export function readConditions(): readonly Condition[] {
  return [...byId("conditions").children].map((row) => {
    const [path, value] = row.querySelectorAll("input");
    return {
      path: path?.value.trim() ?? "",
      operator: row.querySelector("select")?.value ?? "",
      value: value?.value.trim() ?? "",
    };
  });
}
