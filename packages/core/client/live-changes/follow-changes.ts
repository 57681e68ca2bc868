import { withCredential } from "../credential.ts";
import { readChanges } from "./read-changes.ts";
import { createChangeView } from "./show-change.ts";

const MAX_SHOWN = 100;

/** Lists the changes of a section's event stream, the latest first, until the stream ends. */
export async function followChanges(section: HTMLElement, state: HTMLElement, signal: AbortSignal): Promise<void> {
  const list = section.querySelector("ol") as HTMLOListElement;
  const headers = withCredential({ Accept: "text/event-stream" });
  const response = await fetch(section.dataset["events"] ?? "", { headers, signal });
  if (!response.ok || response.body === null) {
    state.textContent = `Live changes are not available: ${response.status}`;
    return;
  }
  state.textContent = "Listening…";
  const show = createChangeView(section.dataset);
  for await (const change of readChanges(response.body)) {
    list.prepend(show(change));
    while (list.children.length > MAX_SHOWN) list.lastChild?.remove();
  }
  state.textContent = "The server ended the stream.";
}
