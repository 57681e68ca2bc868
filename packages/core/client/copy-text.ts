const SHOWN_MS = 2_000;

/** Lets a button copy the text before it. Where the clipboard is not available, the text is selected instead. */
export function copyOnClick(button: HTMLButtonElement): void {
  button.addEventListener("click", () => {
    const source = button.previousElementSibling;
    if (source !== null) void copy(button, source);
  });
}

async function copy(button: HTMLButtonElement, source: Element): Promise<void> {
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    getSelection()?.selectAllChildren(source);
    return;
  }
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = "Copy";
  }, SHOWN_MS);
}
