/** Returns an element of the page, which always contains it. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

/** Creates an element with text and a class. */
export function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text: string,
  className = "",
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className !== "") element.className = className;
  return element;
}

export function createButton(text: string, onClick: () => void, className = ""): HTMLButtonElement {
  const button = create("button", text, className);
  button.type = "button";
  button.addEventListener("click", onClick);
  return button;
}
