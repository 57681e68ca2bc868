import type { HttpResponse } from "../http/message.ts";
import type { Change } from "../operation/outcome.ts";
import type { Selection } from "../operation/selection.ts";
import { type Exchange, readQuery, run, unexpected } from "./exchange.ts";
import { readKey } from "./handle-read.ts";
import { NOSNIFF } from "./headers.ts";
import { lowerShape } from "./lower-shape.ts";
import { lowerFilterPart } from "./lower-list.ts";
import { SHAPE_PARAMETERS } from "./parameters.ts";
import { serializeNode } from "./serialize-node.ts";

export const EVENT_STREAM = "text/event-stream";
const HEARTBEAT = 15_000;

/** `GET /books` or `/books/{id}` as server-sent events (WHATWG HTML §9.2); `Last-Event-ID` resumes. */
export async function handleWatch(exchange: Exchange, id?: string): Promise<HttpResponse> {
  const { target, request } = exchange;
  const { resource } = target;
  const tree = readQuery(exchange, id === undefined ? ["filter", ...SHAPE_PARAMETERS] : SHAPE_PARAMETERS);
  const { selection } = lowerShape(target, tree);
  const filter = lowerFilterPart(target, tree, [], "text");
  const after = request.headers["last-event-id"];
  const outcome = await run(exchange, {
    kind: "watch",
    resource: resource.name,
    on: ["created", "updated", "deleted"],
    ...(id === undefined ? {} : { key: readKey(resource, id) }),
    ...(filter === undefined ? {} : { filter }),
    ...(after === undefined || after === "" ? {} : { after: String(after) }),
    selection,
  });
  if (outcome.kind !== "stream") return unexpected(outcome);
  const headers = {
    "Content-Type": EVENT_STREAM,
    "Cache-Control": "no-store",
    // Proxies that collect an answer before they pass it on would keep it for ever.
    "X-Accel-Buffering": "no",
    Vary: target.vary.personal,
    ...NOSNIFF,
  };
  if (request.method === "HEAD") {
    await outcome.changes.return?.();
    return { status: 200, headers, body: null };
  }
  return { status: 200, headers, body: writeEvents(selection, outcome.changes) };
}

/** Events as text, with a comment now and then so that nobody takes a quiet connection for a dead one. */
function writeEvents(selection: Selection, changes: AsyncIterableIterator<Change>): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]() {
      let isOpen = false;
      let next: Promise<IteratorResult<Change>> | undefined;
      let wakeUp: (() => void) | undefined;
      return {
        async next() {
          if (!isOpen) {
            isOpen = true;
            return { done: false, value: ": open\n\n" };
          }
          next ??= changes.next();
          let timer: NodeJS.Timeout | undefined;
          const silence = new Promise<undefined>((resolve) => {
            wakeUp = () => resolve(undefined);
            timer = setTimeout(wakeUp, HEARTBEAT);
          });
          const result = await Promise.race([next, silence]);
          clearTimeout(timer);
          if (result === undefined) return { done: false, value: ": \n\n" };
          next = undefined;
          if (result.done === true) return { done: true, value: undefined };
          return { done: false, value: writeEvent(selection, result.value) };
        },
        async return() {
          await changes.return?.();
          wakeUp?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

function writeEvent(selection: Selection, change: Change): string {
  const data = change.kind === "reset" ? "{}" : serializeNode(selection, change.node);
  return `id: ${change.id}\nevent: ${change.kind}\ndata: ${data}\n\n`;
}
