const KEY = "bifocal-message";
const SHOWN_MS = 8_000;

/** Keeps a message for the next page. */
export function keepMessage(text: string): void {
  sessionStorage.setItem(KEY, text);
}

/** Shows the message that the last page kept. */
export function showMessage(): void {
  const text = sessionStorage.getItem(KEY);
  if (text === null) return;
  sessionStorage.removeItem(KEY);
  const message = document.createElement("p");
  message.className = "message";
  message.setAttribute("role", "status");
  document.body.append(message);
  // Screen readers announce text that changes in a status element, but not its initial text.
  setTimeout(() => {
    message.textContent = text;
  }, 100);
  setTimeout(() => message.remove(), SHOWN_MS);
}
