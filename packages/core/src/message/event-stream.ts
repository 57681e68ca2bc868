import { DrainSignal } from "../util/drain-signal.ts";

/** The media type of server-sent events (WHATWG HTML §9.2). */
export const EVENT_STREAM = "text/event-stream";

/**
 * Interval in milliseconds. A stream sends a comment after two silent intervals, which is at least every eight seconds,
 * because Bun closes connections that are silent for ten.
 */
const HEARTBEAT_INTERVAL_MS = 4_000;
const SILENT_BEATS = 2;
const COMMENT = ":\n\n";

/** Formats one event. `data` must be a single line, as JSON is. */
export function writeEvent({ id, event, data }: { id?: string; event: string; data: string }): string {
  // An id with a line break would end its line, so it is left out.
  const named = id === undefined || /[\r\n\0]/.test(id) ? "" : `id: ${id}\n`;
  return `${named}event: ${event}\ndata: ${data}\n\n`;
}

/**
 * Creates the first piece of a stream for an `EventSource`. It sets a random reconnection time, so that clients don't
 * reconnect at the same time.
 */
export function writeOpening(): string {
  return `: open\nretry: ${1_000 + Math.floor(Math.random() * 4_000)}\n\n`;
}

export interface EventStreamOptions {
  /** Maximum number of queued characters for a client that does not read. */
  readonly mostWaiting: number;
  /** The first piece, which lets the client see the stream as open. Default: a comment. */
  readonly opening?: string;
  /** Called when the client disconnects or the server closes. */
  readonly onClose: () => void;
}

/** The target of a stream: Node's response. */
export interface EventSink {
  readonly destroyed: boolean;
  /** Returns `false` if the caller has to wait for `drain`. */
  readonly write: (text: string) => boolean;
  readonly once: (event: "drain", listener: () => void) => unknown;
  readonly end: () => unknown;
}

/** The open streams. One timer serves them all. */
const open = new Set<EventStream>();
let timer: NodeJS.Timeout | undefined;

/**
 * A response body of events. They are written immediately, at the pace of the client. Occasional comments keep an idle
 * connection from timing out. There may be thousands of mostly idle streams, so `pipe` works without a promise for each
 * of them.
 */
export class EventStream implements AsyncIterableIterator<string, undefined> {
  readonly #mostWaiting: number;
  readonly #onClose: () => void;
  #text: string;
  #isOver = false;
  #isRead = false;
  #isBlocked = false;
  #silent = 0;
  #drain: DrainSignal | undefined;
  #wake: ((result: IteratorResult<string, undefined>) => void) | undefined;
  #sink: EventSink | undefined;
  #listeners: readonly (() => void)[] | undefined;

  constructor({ mostWaiting, opening = COMMENT, onClose }: EventStreamOptions) {
    this.#mostWaiting = mostWaiting;
    this.#onClose = onClose;
    this.#text = opening;
    open.add(this);
    timer ??= setInterval(beat, HEARTBEAT_INTERVAL_MS).unref();
  }

  /** Writes the stream to a sink and ends the sink. Use either `pipe` or `next`. */
  pipe(sink: EventSink): void {
    this.#sink = sink;
    this.#flush();
  }

  /** Calls the listener once the stream has been read to its end, or the client has disconnected. */
  whenRead(listener: () => void): void {
    if (this.#isRead) listener();
    // `push` and a spread would reserve capacity for 16 more elements.
    else this.#listeners = (this.#listeners ?? []).concat(listener);
  }

  /**
   * Sends an event. Returns `false` without sending it if too much is queued. The size of a single event doesn't count
   * against the reader.
   */
  send(event: string): boolean {
    if (this.#isFull) return false;
    this.add(event);
    return true;
  }

  /** Sends a short, important event even if the queue is full. */
  add(event: string): void {
    if (this.#isOver) return;
    this.#text += event;
    this.#flush();
  }

  /** Waits until another event can be sent. Returns undefined if it can be sent now. */
  drain(): Promise<void> | undefined {
    return this.#isFull ? (this.#drain ??= new DrainSignal()).wait() : undefined;
  }

  /** Discards the queue and sends one event that reports it. */
  replace(event: string): void {
    this.#text = event;
    this.#flush();
  }

  /** Ends the stream. Queued events are still delivered. */
  end(): void {
    this.#isOver = true;
    open.delete(this);
    this.#drain?.notify();
    this.#flush();
  }

  /** Sends a comment if the stream has been silent for several intervals. */
  beat(): void {
    this.#silent++;
    if (this.#text === "" && this.#silent >= SILENT_BEATS) this.add(COMMENT);
  }

  next(): Promise<IteratorResult<string, undefined>> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#flush();
    });
  }

  return(): Promise<IteratorResult<string, undefined>> {
    this.#text = "";
    if (!this.#isOver) {
      this.end();
      this.#onClose();
    }
    this.#setRead();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  get #isFull(): boolean {
    return this.#text.length > this.#mostWaiting && !this.#isOver;
  }

  #flush(): void {
    if (this.#sink !== undefined) this.#write(this.#sink);
    else if (this.#wake !== undefined && (this.#text !== "" || this.#isOver)) {
      const resolve = this.#wake;
      this.#wake = undefined;
      if (this.#text !== "") resolve({ done: false, value: this.#take() });
      else {
        this.#setRead();
        resolve({ done: true, value: undefined });
      }
    }
  }

  #write(sink: EventSink): void {
    if (this.#text !== "" && !this.#isBlocked && !this.#isRead) {
      const text = this.#take();
      if (!sink.destroyed && !sink.write(text)) {
        this.#isBlocked = true;
        sink.once("drain", () => {
          this.#isBlocked = false;
          this.#flush();
        });
      }
    }
    if (!this.#isOver || this.#text !== "" || this.#isRead) return;
    this.#setRead();
    sink.end();
  }

  #take(): string {
    const text = this.#text;
    this.#text = "";
    this.#silent = 0;
    this.#drain?.notify();
    return text;
  }

  #setRead(): void {
    this.#isRead = true;
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const listener of listeners ?? []) listener();
  }
}

function beat(): void {
  for (const stream of open) stream.beat();
  if (open.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}
