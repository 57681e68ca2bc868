import { addCondition, readConditions } from "./conditions.ts";
import { byId, complete } from "./elements.ts";
import { INPUTS, type ListRequest, printListRequest, readListRequest } from "./list-request.ts";
import { completePath, loadModel, type Model, type ResourceNames } from "./model.ts";

/** The form that builds a list. */
export interface Builder {
  /** Fills the form with a request, if it is a list. */
  readonly show: (request: string) => void;
  /** Returns the request of the form. */
  readonly read: () => string;
}

/** Fills the form with the names of the model, and calls `onBuilt` with the request after each change. */
export async function startBuilder(onBuilt: (request: string) => void): Promise<Builder> {
  const model = await loadModel();
  const form = byId<HTMLFormElement>("builder");
  const control = (name: string): HTMLInputElement => form.elements.namedItem(name) as HTMLInputElement;
  const resourceOf = (): ResourceNames | undefined => model.find(({ path }) => path === control("resource").value);
  const changed = (): void => onBuilt(read());
  const add = (condition = { path: "", operator: "", value: "" }): void =>
    addCondition(model, resourceOf, condition, changed);
  let others: readonly string[] = [];

  function read(): string {
    const values = Object.fromEntries(INPUTS.map((name) => [name, valueOf(control(name))]));
    return printListRequest({ path: control("resource").value, conditions: readConditions(), values, others });
  }
  function fill({ path, conditions, values, others: own }: ListRequest): void {
    control("resource").value = path;
    others = own;
    for (const name of INPUTS) setValue(control(name), values[name] ?? "");
    showResource(control, resourceOf());
    byId("conditions").replaceChildren();
    for (const condition of conditions) add(condition);
  }

  const listed = model.filter(({ isListed }) => isListed).map(({ path }) => new Option(path, path));
  control("resource").replaceChildren(...listed);
  completeInputs(model, control, resourceOf);
  control("resource").addEventListener("change", () => {
    const values = { "page[size]": control("page[size]").value };
    fill({ path: control("resource").value, conditions: [], values, others: [] });
  });
  form.addEventListener("change", changed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    changed();
  });
  byId("add-condition").addEventListener("click", () => {
    add();
    byId("conditions").lastElementChild?.querySelector("input")?.focus();
  });
  showResource(control, resourceOf());
  return {
    read,
    show(request) {
      const found = readListRequest(request);
      if (found !== undefined && model.some(({ path, isListed }) => isListed && path === found.path)) fill(found);
    },
  };
}

function showResource(control: (name: string) => HTMLInputElement, resource: ResourceNames | undefined): void {
  const { isSearchable = false, page } = resource ?? {};
  (control("q").parentElement as HTMLElement).hidden = !isSearchable;
  const size = control("page[size]");
  size.max = String(page?.max ?? "");
  size.placeholder = String(page?.size ?? "");
}

/** Completes the inputs whose values are lists of names. */
function completeInputs(
  model: Model,
  control: (name: string) => HTMLInputElement,
  resourceOf: () => ResourceNames | undefined,
): void {
  const offer = (name: string, namesOf: (resource: ResourceNames, text: string) => readonly string[]): void => {
    const input = control(name);
    const show = complete(input);
    const update = (): void => {
      const resource = resourceOf();
      const [, before = "", last = ""] = /^(.*,\s*)?([^,]*)$/s.exec(input.value) ?? [];
      show(resource === undefined ? [] : namesOf(resource, last.trim()).map((one) => before + one));
    };
    for (const event of ["focus", "input"]) input.addEventListener(event, update);
  };
  offer("sort", ({ sorts }) => sorts.flatMap((path) => [path, `-${path}`]));
  offer("fields", (resource, text) => completePath(model, resource, text, false));
  offer("include", (resource, text) =>
    completePath(model, resource, text, false)
      .filter((path) => path.endsWith("."))
      .map((path) => path.slice(0, -1)),
  );
}

function valueOf({ type, checked, value }: HTMLInputElement): string {
  if (type === "checkbox") return checked ? "true" : "";
  return value.trim();
}

function setValue(input: HTMLInputElement, value: string): void {
  if (input.type === "checkbox") input.checked = value !== "" && value !== "false";
  else input.value = value;
}
