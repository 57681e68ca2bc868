import type { Observer } from "../../operation/observer.ts";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpResponse } from "../../message/message.ts";
import type { ResourceModel } from "../../model/model.ts";
import { idValue } from "../../operation/key.ts";
import type { Change, ChangeStream } from "../../operation/outcome.ts";
import type { Selection } from "../../operation/selection.ts";
import { EVENT_STREAM, EventStream, writeEvent, writeOpening } from "../../message/event-stream.ts";
import { type Exchange, readQuery, run } from "../request/exchange.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import { readKey } from "./handle-read.ts";
import { NOSNIFF } from "../response/headers.ts";
import { lowerShape } from "../request/lower-shape.ts";
import { lowerFilterPart } from "../request/lower-list.ts";
import { readFlag, SHAPE_PARAMETERS } from "../request/parameters.ts";
import { serializeRow } from "../response/representation.ts";
import { toProblem } from "../response/serialize-problem.ts";

/**
 * Handles `GET /books` or `/books/{id}` as server-sent events (WHATWG HTML §9.2). `Last-Event-ID` resumes a stream;
 * `initial=true` sends the current rows before their changes.
 */
export async function handleWatch(exchange: Exchange, id?: string): Promise<HttpResponse> {
  const { target, request } = exchange;
  const { resource } = target;
  const tree = readQuery(exchange, ["initial", ...(id === undefined ? ["filter"] : []), ...SHAPE_PARAMETERS]);
  const { selection, named } = lowerShape(exchange, tree);
  const filter = lowerFilterPart(target, tree, [], "text");
  const isInitial = readFlag(tree["initial"], ["initial"]);
  const after = request.headers["last-event-id"];
  const outcome = await run(exchange, {
    kind: "watch",
    resource: resource.name,
    on: ["created", "updated", "deleted"],
    ...(id === undefined ? {} : { key: readKey(resource, id) }),
    ...(filter === undefined ? {} : { filter }),
    ...(after === undefined || after === "" ? {} : { after: String(after) }),
    ...(isInitial ? { initial: true as const } : {}),
    selection,
    named,
  });
  if (outcome.kind !== "stream") return unexpectedOutcome(outcome);
  const { changes } = outcome;
  const headers = {
    "Content-Type": EVENT_STREAM,
    "Cache-Control": "no-store",
    // Proxies that buffer whole responses would never forward the stream.
    "X-Accel-Buffering": "no",
    Vary: target.vary.personal,
    ...NOSNIFF,
  };
  if (request.method === "HEAD") {
    await changes.return();
    return { status: 200, headers, body: null };
  }
  const writer = new ChangeWriter(exchange, selection, changes);
  changes.listen(writer);
  // The stream ends the changes when its client disconnects.
  changes.ignoreSignal();
  request.releaseSignal?.();
  return { status: 200, headers, body: writer.stream };
}

/** Writes the changes of one subscriber to its stream. */
class ChangeWriter implements Observer<Change> {
  readonly stream: EventStream;
  readonly #resource: ResourceModel;
  readonly #selection: Selection;
  readonly #changes: ChangeStream;
  readonly #path: string;

  constructor({ target, request }: Exchange, selection: Selection, changes: ChangeStream) {
    const onClose = (): void => void changes.return();
    this.stream = new EventStream({
      mostWaiting: target.limits.subscriptions.queuedBytes,
      opening: writeOpening(),
      onClose,
    });
    this.#resource = target.resource;
    this.#selection = selection;
    this.#changes = changes;
    // Keeping the request would keep it in memory as long as the stream.
    this.#path = request.prefix + request.path;
  }

  next(change: Change): void {
    const { stream } = this;
    if (stream.send(writeChange(this.#resource, this.#selection, change))) return;
    // A client that reads too slowly loses the waiting events, and can resume after the last one it received.
    stream.replace(this.#writeError(new BifocalError("UNAVAILABLE", "The client reads too slowly.")));
    stream.end();
    void this.#changes.return();
  }

  drain(): Promise<void> | undefined {
    return this.stream.drain();
  }

  end(error: BifocalError | undefined): void {
    // The error is the last event of the stream.
    if (error !== undefined) this.stream.add(this.#writeError(error));
    this.stream.end();
  }

  #writeError(error: BifocalError): string {
    return writeEvent({ event: "error", data: JSON.stringify(toProblem(error, this.#path)) });
  }
}

function writeChange(resource: ResourceModel, selection: Selection, change: Change): string {
  if (change.kind === "reset") return writeEvent({ id: change.id, event: change.kind, data: "{}" });
  if (change.kind === "left") {
    const data = JSON.stringify({ id: idValue(resource, change.key) });
    return writeEvent({ id: change.id, event: change.kind, data });
  }
  const data = textOf(selection, change);
  // Rows of the initial state have no id, so a client resumes after the last change.
  return writeEvent(
    change.kind === "current" ? { event: change.kind, data } : { id: change.id, event: change.kind, data },
  );
}

const TEXTS = new WeakMap<Change, string>();

/** Subscribers with the same view share the change object, so its text is built once. */
function textOf(selection: Selection, change: Exclude<Change, { kind: "reset" | "left" }>): string {
  let text = TEXTS.get(change);
  if (text === undefined) TEXTS.set(change, (text = serializeRow(selection, change.row)));
  return text;
}
