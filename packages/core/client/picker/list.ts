import type { Choice } from "./find-rows.ts";

/** Creates the list of choices below a combobox. Each choice has its key as the title, because labels can be equal. */
export function createList(id: string, label: string) {
  const element = document.createElement("ul");
  element.id = id;
  element.className = "choices";
  element.role = "listbox";
  element.ariaLabel = label;
  element.hidden = true;
  let shown: readonly Choice[] = [];
  let at = -1;

  function mark(): void {
    for (const [index, option] of [...element.children].entries()) {
      option.ariaSelected = String(index === at);
      if (index === at) option.scrollIntoView({ block: "nearest" });
    }
  }

  return {
    element,
    isOpen: () => !element.hidden,
    choices: () => shown,
    chosen: () => shown[at],
    active: () => element.children[at],
    choiceOf: (node: Node) => shown[[...element.children].findIndex((option) => option.contains(node))],
    show(choices: readonly Choice[]): void {
      shown = choices;
      at = -1;
      element.replaceChildren(...choices.map((choice, index) => createOption(choice, `${id}-${index}`)));
      element.hidden = choices.length === 0;
    },
    move(by: 1 | -1): void {
      const from = at < 0 && by < 0 ? 0 : at;
      at = (from + by + shown.length) % shown.length;
      mark();
    },
  };
}

function createOption({ key, label }: Choice, id: string): HTMLLIElement {
  const option = document.createElement("li");
  option.id = id;
  option.role = "option";
  option.ariaSelected = "false";
  option.title = key;
  option.dir = "auto";
  option.textContent = label;
  return option;
}
