import { credentialHeaders } from "./credential.ts";
import { byId, PREFIX, showMessage } from "./elements.ts";

const MAX_LENGTH = 20_000;
let running: AbortController | undefined;

/** Starts or stops showing the changes of a read's rows, as server-sent events. */
export async function toggleWatch(url: string | undefined): Promise<void> {
  if (running !== undefined) return stopWatch();
  if (url === undefined) return showMessage("Only reads can be watched.", true);
  const controller = (running = new AbortController());
  byId("watch").setAttribute("aria-pressed", "true");
  const output = byId("events");
  output.textContent = "";
  byId("events-part").hidden = false;
  try {
    const headers = { Accept: "text/event-stream", ...credentialHeaders() };
    const response = await fetch(PREFIX + url, { headers, signal: controller.signal });
    if (!response.ok || response.body === null) throw new Error(`Watching failed with status ${response.status}.`);
    showMessage("Watching.");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read())
      output.textContent = `${output.textContent}${part.value}`.slice(-MAX_LENGTH);
  } catch (error) {
    if (!controller.signal.aborted) showMessage(error instanceof Error ? error.message : String(error), true);
  }
  if (running === controller) stopWatch();
}

export function stopWatch(): void {
  running?.abort();
  running = undefined;
  byId("watch").setAttribute("aria-pressed", "false");
}
