import { byId, PREFIX } from "./elements.ts";

interface FieldNames {
  readonly name: string;
  readonly operators: readonly string[];
  readonly sortable: boolean;
  readonly values: readonly string[];
}
interface ResourceNames {
  readonly path: string;
  readonly plural: string;
  readonly fields: readonly FieldNames[];
  readonly relations: readonly string[];
}

/** Fills the form with the names of the model, and calls `onBuilt` with the path and query of the list. */
export async function startBuilder(onBuilt: (request: string) => void): Promise<void> {
  const form = byId<HTMLFormElement>("builder");
  const select = (name: string): HTMLSelectElement => form.elements.namedItem(name) as HTMLSelectElement;
  const response = await fetch(`${PREFIX}/console/model`);
  const { resources } = (await response.json()) as { readonly resources: readonly ResourceNames[] };
  const resourceOf = (): ResourceNames | undefined => resources.find(({ path }) => path === select("resource").value);
  const fieldOf = (): FieldNames | undefined => resourceOf()?.fields.find(({ name }) => name === select("field").value);

  function showField(): void {
    const { operators = [], values = [] } = fieldOf() ?? {};
    fill(select("operator"), operators);
    fill(byId("values"), values);
  }
  function showResource(): void {
    const { fields = [], relations = [] } = resourceOf() ?? {};
    const filterable = fields.filter(({ operators }) => operators.length > 0).map(({ name }) => name);
    const sortable = fields.filter((field) => field.sortable).flatMap(({ name }) => [name, `-${name}`]);
    fill(select("field"), ["", ...filterable]);
    fill(select("sort"), ["", ...sortable]);
    const names = fields.map(({ name }) => name);
    fill(byId("fields"), names);
    fill(byId("relations"), relations);
    showField();
  }
  fill(
    select("resource"),
    resources.map(({ path }) => path),
  );
  select("resource").addEventListener("change", showResource);
  select("field").addEventListener("change", showField);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    onBuilt(requestOf(new FormData(form)));
  });
  showResource();
}

function fill(target: HTMLElement, values: readonly string[]): void {
  target.replaceChildren(...values.map((value) => new Option(value, value)));
}

function requestOf(data: FormData): string {
  const get = (name: string): string => {
    const value = data.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const [field, operator, value] = [get("field"), get("operator"), get("value")];
  const parts: readonly (readonly [string, string])[] = [
    [`filter[${field}][${operator}]`, field === "" ? "" : value],
    ["sort", get("sort")],
    ["fields", get("fields")],
    ["include", get("include")],
    ["page[size]", get("size")],
  ];
  const query = parts.flatMap(([name, text]) => (text === "" ? [] : [`${name}=${encodeURIComponent(text)}`]));
  return `GET ${get("resource")}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}
