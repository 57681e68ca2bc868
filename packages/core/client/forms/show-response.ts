/** Shows the response of an action in its form, because it has no page of its own. */
export function showResponse(form: HTMLFormElement, text: string): void {
  const box = form.querySelector(".answer") as HTMLElement;
  box.textContent = indent(text);
  box.hidden = false;
  box.focus();
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
