const SHOWN_MS = 2_000;

/**
 * Lets a button copy its value, or else the text before it. Where the clipboard is not available, the text is selected
 * instead.
 */
export function copyOnClick(button: HTMLButtonElement): void {
  button.addEventListener("click", () => {
    const source = button.previousElementSibling;
    if (source !== null) void copy(button, source);
  });
}

async function copy(button: HTMLButtonElement, source: Element): Promise<void> {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset["copy"] || source.textContent);
  } catch {
    getSelection()?.selectAllChildren(source);
    return;
  }
  button.textContent = label === "Copy" ? "Copied" : "✓";
  button.disabled = true;
  setTimeout(() => {
    button.textContent = label;
    button.disabled = false;
  }, SHOWN_MS);
}
