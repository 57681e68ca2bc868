import type { Json, JsonObject } from "../../src/util/json.ts";
import type { Change } from "./read-changes.ts";

const KINDS: Readonly<Record<string, string>> = {
  created: "Created",
  updated: "Updated",
  deleted: "Deleted",
  left: "Left the list",
};

/** Shows changes with the words of the page. It keeps the last state of each row, to mark the values that differ. */
export function createChangeView({ fields = "{}", key = "id", label = key, row }: DOMStringMap) {
  const words = Object.entries(JSON.parse(fields) as Readonly<Record<string, string>>);
  const known = new Map<string, JsonObject>();

  return ({ kind, data }: Change): HTMLLIElement => {
    const values = JSON.parse(data) as JsonObject;
    const { [key]: own = null } = values;
    const id = typeof own === "string" ? own : JSON.stringify(own);
    const before = known.get(id);
    known.set(id, { ...before, ...values });
    const item = document.createElement("li");
    const name = textOf(values[label] ?? before?.[label] ?? id);
    item.append(
      element("time", new Date().toLocaleTimeString()),
      " ",
      element("span", KINDS[kind] ?? kind, "tag"),
      " ",
    );
    item.append(
      row === undefined || kind === "deleted" ? element("b", name) : linkTo(row + encodeURIComponent(id), name),
    );
    const shown = words.filter(([field]) => field !== label && field !== key && field in values);
    if (shown.length > 0) item.append(pairsOf(shown, values, before));
    return item;
  };
}

function pairsOf(
  fields: readonly (readonly [name: string, words: string])[],
  values: JsonObject,
  before: JsonObject | undefined,
): HTMLElement {
  const list = element("dl", "", "pairs");
  for (const [field, words] of fields) {
    const isChanged = before !== undefined && JSON.stringify(before[field]) !== JSON.stringify(values[field]);
    const pair = element("div", "");
    const value = element("dd", isChanged ? "" : textOf(values[field]));
    if (isChanged) value.append(element("strong", textOf(values[field])));
    pair.append(element("dt", words), value);
    list.append(pair);
  }
  return list;
}

/** Writes a value without the signs of JSON. */
function textOf(value: Json | undefined): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "✓" : "–";
  if (typeof value === "number") return value.toLocaleString();
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((item: Json) => textOf(item)).join(", ");
  return Object.entries(value)
    .map(([name, member]) => `${name} ${textOf(member)}`)
    .join(", ");
}

function element(tag: string, text: string, className = ""): HTMLElement {
  const created = document.createElement(tag);
  created.textContent = text;
  created.className = className;
  return created;
}

function linkTo(url: string, text: string): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = url;
  link.textContent = text;
  return link;
}
