import type { Choice } from "./find-rows.ts";
import { pickRow } from "./pick-row.ts";

/**
 * Replaces a list of keys, one per line, by the labels of the chosen rows and a combobox that finds more. Text that isn't
 * chosen from the list counts as a key.
 */
export function pickRows(area: HTMLTextAreaElement): void {
  const label = area.labels?.[0];
  label?.querySelector("[data-lines]")?.remove();
  const chosen = document.createElement("ul");
  chosen.className = "tags chosen";
  const input = document.createElement("input");
  input.id = `${area.id}-one`;
  Object.assign(input.dataset, area.dataset);
  delete input.dataset["kind"];
  area.hidden = true;
  area.before(chosen);
  area.after(input);
  pickRow(input);
  const box = document.getElementById(`${input.id}-picker`) as HTMLInputElement;
  box.id = `${area.id}-picker`;
  box.setAttribute("aria-describedby", `${area.id}-error`);
  if (label !== undefined) label.htmlFor = box.id;

  const keys = (): readonly string[] => area.value.split("\n").filter((key) => key !== "");

  function add({ key, label: shown }: Choice): void {
    input.value = "";
    box.value = "";
    if (key === "" || keys().includes(key)) return;
    area.value = [...keys(), key].join("\n");
    const item = document.createElement("li");
    const remove = document.createElement("button");
    remove.type = "button";
    remove.className = "plain";
    remove.ariaLabel = `Remove ${shown}`;
    remove.textContent = "×";
    remove.addEventListener("click", () => {
      area.value = keys()
        .filter((one) => one !== key)
        .join("\n");
      item.remove();
      box.focus();
    });
    item.append(shown, " ", remove);
    chosen.append(item);
  }

  const addTyped = (): void => add({ key: input.value.trim(), label: box.value.trim() });
  input.addEventListener("change", addTyped);
  box.addEventListener("blur", addTyped);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.defaultPrevented || box.value === "") return;
    event.preventDefault();
    addTyped();
  });
}
