import type { FieldNames, ResourceNames } from "../../src/page/model-names.ts";
import { byId, create, createButton } from "../elements.ts";
import type { Param, RestRequest } from "./request-text.ts";

const names = JSON.parse(document.body.dataset["names"] ?? "[]") as readonly ResourceNames[];
const SIGNS: Readonly<Record<string, string>> = { eq: "=", ne: "≠", lt: "<", lte: "≤", gt: ">", gte: "≥" };

/** Shows the filters of a request, each with a button that removes it, and a form that adds one. */
export function showChips(request: RestRequest | undefined, onChange: (request: RestRequest) => void): void {
  const place = byId("chips");
  // The open form stays while the map moves.
  if (place.querySelector("details[open]") !== null) return;
  if (request === undefined) return place.replaceChildren();
  const filters = request.params.filter(([name]) => name.startsWith("filter["));
  const chips = [...new Set(filters.map(([name]) => name))].map((name) => {
    const chip = create("span", "", "chip");
    const label = labelOf(
      name,
      filters.filter((param) => param[0] === name),
    );
    const remove = createButton("×", () =>
      onChange({ ...request, params: request.params.filter((param) => param[0] !== name) }),
    );
    remove.setAttribute("aria-label", `Remove filter ${label}`);
    chip.append(create("span", label), remove);
    return chip;
  });
  const resource = names.find(({ path }) => request.path === `/${path}`);
  place.replaceChildren(...chips, ...(resource === undefined ? [] : [createForm(resource, request, onChange)]));
}

function labelOf(name: string, params: readonly Param[]): string {
  const path = [...name.matchAll(/\[([^\]]*)\]/g)].map(([, part = ""]) => part);
  const operator = path.at(-1) ?? "";
  const values = params.map(([, value]) => decode(value));
  if (operator === "between") return `${path.slice(0, -1).join(" ")} ${values.join(" to ")}`;
  if (SIGNS[operator] !== undefined) return `${path.slice(0, -1).join(" ")} ${SIGNS[operator]} ${values.join(", ")}`;
  return `${path.join(" ")} = ${values.join(", ")}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function createForm(
  resource: ResourceNames,
  request: RestRequest,
  onChange: (request: RestRequest) => void,
): HTMLElement {
  const details = create("details", "", "add");
  const form = document.createElement("form");
  const field = labelled("Field", document.createElement("select"));
  const operator = labelled("Operator", document.createElement("select"));
  const value = labelled("Value", document.createElement("input"));
  const values = document.createElement("datalist");
  values.id = "filter-values";
  value.control.setAttribute("list", values.id);
  value.control.autocomplete = "off";
  fill(
    field.control,
    resource.fields.map(({ name }) => name),
  );
  const showField = (): void => {
    const chosen: FieldNames | undefined = resource.fields.find(({ name }) => name === field.control.value);
    fill(operator.control, chosen?.operators ?? []);
    fill(values, chosen?.values ?? []);
  };
  field.control.addEventListener("change", showField);
  const inputs = [field, operator, value].flatMap(({ label, control }) => [label, control]);
  form.append(...inputs, values, create("button", "Add"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = `filter[${field.control.value}][${operator.control.value}]`;
    const added = value.control.value.split(operator.control.value === "between" ? " to " : /(?!)/);
    const params: readonly Param[] = added.map((part) => [name, encodeURIComponent(part.trim())]);
    details.open = false;
    onChange({ ...request, params: [...params, ...request.params] });
  });
  showField();
  details.append(create("summary", "+ Filter"), form);
  return details;
}

let controls = 0;

function labelled<Control extends HTMLElement>(text: string, control: Control) {
  const label = create("label", text);
  control.id = label.htmlFor = `filter-${++controls}`;
  return { label, control };
}

function fill(target: HTMLElement, values: readonly string[]): void {
  target.replaceChildren(...values.map((value) => new Option(value, value)));
}
