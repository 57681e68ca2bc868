import { type Choice, findLabel, findRows } from "./find-rows.ts";
import { createList } from "./list.ts";

const TYPING_MS = 200;

/**
 * Shows the label of a row in place of its key: the input of the key is hidden behind a combobox that finds rows
 * (WAI-ARIA Authoring Practices, list autocomplete). Text that isn't chosen from the list counts as a key.
 */
export function pickRow(input: HTMLInputElement): void {
  const box = createBox(input);
  const list = createList(`${box.id}-list`, input.labels?.[0]?.firstChild?.textContent?.trim() ?? "Rows");
  const state = document.createElement("span");
  state.className = "unseen";
  state.setAttribute("role", "status");
  box.setAttribute("aria-controls", list.element.id);
  input.before(box);
  input.after(list.element, state);
  if (input.labels?.[0] !== undefined) input.labels[0].htmlFor = box.id;
  input.hidden = true;

  if (input.value !== "" && input.dataset["shown"] === undefined) void showLabel();

  let search = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Replaces a key that the page knows no label for, unless someone types in the meantime. */
  async function showLabel(): Promise<void> {
    const key = input.value;
    const label = await findLabel(input.dataset, key).catch(() => undefined);
    if (label !== undefined && input.value === key && box.value === key) box.value = label;
  }

  function close(): void {
    search.abort();
    clearTimeout(timer);
    list.show([]);
    update();
  }

  function update(): void {
    box.ariaExpanded = String(list.isOpen());
    const active = list.active();
    if (active === undefined) box.removeAttribute("aria-activedescendant");
    else box.setAttribute("aria-activedescendant", active.id);
  }

  function choose({ key, label }: Choice): void {
    input.value = key;
    box.value = label;
    state.textContent = "";
    close();
    input.dispatchEvent(new Event("change"));
  }

  /** Opens the list, and marks its first or last choice if an arrow key opened it. */
  async function find(text: string, by?: 1 | -1): Promise<void> {
    search.abort();
    // A search for text typed before would show the list again, without the mark.
    clearTimeout(timer);
    search = new AbortController();
    const { signal } = search;
    try {
      const choices = await findRows(input.dataset, text.trim(), signal);
      if (signal.aborted) return;
      list.show(choices);
      if (by !== undefined && choices.length > 0) list.move(by);
      state.textContent = choices.length === 0 ? "No matches" : `${choices.length} to choose from`;
      update();
    } catch (thrown) {
      if (!signal.aborted) state.textContent = (thrown as Error).message;
    }
  }

  function move(by: 1 | -1): void {
    if (!list.isOpen()) void find(isChosen() ? "" : box.value, by);
    else {
      list.move(by);
      update();
    }
  }

  const isChosen = (): boolean => input.value !== box.value;

  box.addEventListener("input", () => {
    input.value = box.value;
    clearTimeout(timer);
    timer = setTimeout(() => void find(box.value), TYPING_MS);
  });
  box.addEventListener("click", () => void find(isChosen() ? "" : box.value));
  box.addEventListener("keydown", (event) => {
    const chosen = list.chosen();
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Escape" && list.isOpen()) close();
    else if (event.key === "Enter" && chosen !== undefined) choose(chosen);
    else return;
    event.preventDefault();
  });
  box.addEventListener("blur", () => {
    const typed = box.value.trim().toLowerCase();
    const same = isChosen() ? [] : list.choices().filter(({ label }) => label.toLowerCase() === typed);
    if (same[0] !== undefined && same.length === 1) choose(same[0]);
    else close();
  });
  // Before `blur`, which closes the list.
  list.element.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const choice = list.choiceOf(event.target as Node);
    if (choice !== undefined) choose(choice);
  });
}

function createBox(input: HTMLInputElement): HTMLInputElement {
  const box = document.createElement("input");
  box.id = `${input.id}-picker`;
  box.value = input.dataset["shown"] ?? input.value;
  box.required = input.required;
  box.autocomplete = "off";
  box.dir = "auto";
  box.role = "combobox";
  box.ariaExpanded = "false";
  box.ariaAutoComplete = "list";
  const about = input.getAttribute("aria-describedby");
  if (about !== null) box.setAttribute("aria-describedby", about);
  // A number input would drop the text of an invalid key, instead of sending it to be rejected.
  input.type = "text";
  return box;
}
