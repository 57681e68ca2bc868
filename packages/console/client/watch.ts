import { credentialHeaders } from "./credential.ts";
import { byId, PREFIX, showMessage, showPart } from "./elements.ts";
import { isAvailable, isRead, type Source, type Translation } from "./translate.ts";

const MAX_LENGTH = 20_000;
let running: AbortController | undefined;

/** A request whose response is a stream of server-sent events. */
interface StreamRequest {
  readonly path: string;
  readonly init: RequestInit;
}

/** Returns the stream with the changes of a read's rows, or that of a subscription. */
export function streamOf(source: Source, found: readonly Translation[]): StreamRequest | undefined {
  const [first, second] = found;
  if (first === undefined || second !== undefined) return undefined;
  const isSubscription = first.kind === "watch";
  if (isSubscription && "document" in source) {
    const { document: query, variables } = source;
    const headers = { Accept: "text/event-stream", "Content-Type": "application/json" };
    return { path: "/graphql", init: { method: "POST", headers, body: JSON.stringify({ query, variables }) } };
  }
  if (!isAvailable(first.rest) || first.rest.method !== "GET" || !(isSubscription || isRead(first))) return undefined;
  return { path: first.rest.url, init: { headers: { ...first.rest.headers, Accept: "text/event-stream" } } };
}

/** Starts or stops showing the events of a stream. */
export async function toggleWatch(stream: StreamRequest | undefined): Promise<void> {
  if (running !== undefined) return stopWatch();
  if (stream === undefined) return showMessage("Only reads by GET and subscriptions can be watched.", true);
  const controller = (running = new AbortController());
  byId("watch").setAttribute("aria-pressed", "true");
  showPart("events", "Waiting for changes.");
  try {
    const { path, init } = stream;
    const headers = { ...(init.headers as Record<string, string>), ...credentialHeaders() };
    const response = await fetch(PREFIX + path, { ...init, headers, signal: controller.signal });
    if (!response.ok || response.body === null) throw new Error(`Watching failed with status ${response.status}.`);
    showMessage("Watching.");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text = `${text}${part.value}`.slice(-MAX_LENGTH);
      byId("events").textContent = text;
    }
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
