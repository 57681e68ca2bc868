import { byId, showMessage } from "./elements.ts";

/** Copies the text of an output or an editor. */
export function copyOnClick(button: HTMLButtonElement): void {
  button.addEventListener("click", () => {
    const source = byId(button.dataset["copy"] ?? "");
    const text = source instanceof HTMLTextAreaElement ? source.value : source.innerText;
    navigator.clipboard.writeText(text).then(
      () => showMessage("Copied."),
      () => showMessage("The browser doesn't allow copying.", true),
    );
  });
}
