/** Returns an element of the page, which always contains it. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

/** The mount path of the API. */
export const PREFIX: string = document.body.dataset["prefix"] ?? "";

/** Whether the server returns the access rules that decide and the SQL statements of reads. */
export const EXPLAINS: boolean = document.body.dataset["explains"] === "true";

export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}

let lists = 0;

/** Gives an input a list of completions, and returns the function that sets them. */
export function complete(input: HTMLInputElement): (values: readonly string[]) => void {
  const list = createElement("datalist", { id: `completions-${++lists}` });
  input.setAttribute("list", list.id);
  // Inside a label, the list would be a part of its text.
  byId("completions").append(list);
  return (values) => list.replaceChildren(...values.map((value) => new Option(value, value)));
}

export function showMessage(text: string, isError = false): void {
  const message = byId("message");
  message.textContent = text;
  message.classList.toggle("error", isError);
}

/** Writes the text of a part of the page. A part without text is hidden. */
export function showPart(id: string, text: string): void {
  byId(id).textContent = text;
  byId(`${id}-part`).hidden = text === "";
}
