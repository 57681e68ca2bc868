/** Returns an element of the page, which always contains it. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

/** The mount path of the API. */
export const PREFIX: string = document.body.dataset["prefix"] ?? "";

export function showMessage(text: string, isError = false): void {
  const message = byId("message");
  message.textContent = text;
  message.classList.toggle("error", isError);
}
