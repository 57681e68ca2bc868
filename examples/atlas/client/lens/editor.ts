import { byId } from "../elements.ts";
import { highlight } from "./highlight.ts";

export interface Editor {
  readonly read: () => string;
  /** Replaces the text, unless it is the same. */
  readonly write: (text: string) => void;
  readonly markInvalid: (isInvalid: boolean) => void;
}

/** Makes an element editable, and calls `onEdit` when the user has changed its text. */
export function createEditor(id: "rest" | "graphql", onEdit: (text: string) => void): Editor {
  const element = byId(id);
  element.contentEditable = "plaintext-only";
  // Browsers without plain editing support rich text, which a paste could contain.
  if (element.contentEditable !== "plaintext-only") element.contentEditable = "true";
  const read = (): string => element.innerText.replace(/\n$/, "");
  element.addEventListener("input", () => {
    highlight(element, id);
    onEdit(read());
  });
  return {
    read,
    write(text) {
      if (element.textContent === text) return;
      element.textContent = text;
      highlight(element, id);
    },
    markInvalid: (isInvalid) => element.setAttribute("aria-invalid", String(isInvalid)),
  };
}
