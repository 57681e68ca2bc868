import { Room } from "../util/room.ts";

/** What a client of server-sent events asks for and gets (WHATWG HTML §9.2). */
export const EVENT_STREAM = "text/event-stream";

/** Milliseconds. A stream that was silent for three beats says something: every twelve seconds at the latest. */
const BEAT = 4_000;
const SILENT_BEATS = 3;
const COMMENT = ":\n\n";

/** One event as text. `data` is a single line, as JSON is. */
export function writeEvent({ id, event, data }: { id?: string; event: string; data: string }): string {
  // An id is the bus's; one that would end its line is none.
  const named = id === undefined || /[\r\n\0]/.test(id) ? "" : `id: ${id}\n`;
  return `${named}event: ${event}\ndata: ${data}\n\n`;
}

/** The first piece of a stream for an `EventSource`: when to come back once it has ended, each after a time of its own. */
export function writeOpening(): string {
  return `: open\nretry: ${1_000 + Math.floor(Math.random() * 4_000)}\n\n`;
}

export interface EventStreamOptions {
  /** Characters that may wait for a client that does not read. */
  readonly mostWaiting: number;
  /** The first piece, so that the client sees the stream as open. Default: a comment. */
  readonly opening?: string;
  /** The client has gone, or the server closes. */
  readonly onClose: () => void;
}

/** Where a stream is written: Node's response. */
export interface EventSink {
  readonly destroyed: boolean;
  /** `false`: wait for `drain`. */
  readonly write: (text: string) => boolean;
  readonly once: (event: "drain", listener: () => void) => unknown;
  readonly end: () => unknown;
}

/** The bodies that are open; one timer serves them all. */
const open = new Set<EventStream>();
let timer: NodeJS.Timeout | undefined;

/**
 * A body of events: written as they come, at the pace of the client. A comment now and then keeps a quiet connection from
 * being taken for a dead one. There are thousands of these, and most of them wait: `pipe` needs no promise for each.
 */
export class EventStream implements AsyncIterableIterator<string, undefined> {
  readonly #mostWaiting: number;
  readonly #onClose: () => void;
  #text: string;
  #isOver = false;
  #isRead = false;
  #isBlocked = false;
  #silent = 0;
  #room: Room | undefined;
  #wake: ((result: IteratorResult<string, undefined>) => void) | undefined;
  #sink: EventSink | undefined;
  #listeners: readonly (() => void)[] | undefined;

  constructor({ mostWaiting, opening = COMMENT, onClose }: EventStreamOptions) {
    this.#mostWaiting = mostWaiting;
    this.#onClose = onClose;
    this.#text = opening;
    open.add(this);
    timer ??= setInterval(beat, BEAT).unref();
  }

  /** Writes the stream to a sink, and then ends the sink. Use either `pipe` or `next`. */
  pipe(sink: EventSink): void {
    this.#sink = sink;
    this.#flush();
  }

  /** Calls the listener once the stream is read to its end, or the client has gone. */
  whenRead(listener: () => void): void {
    if (this.#isRead) listener();
    // `push` and a spread would reserve room for 16 more.
    else this.#listeners = (this.#listeners ?? []).concat(listener);
  }

  /** `false`: more waits than may, so the event was not taken. How much is written at a time is not the reader's fault. */
  send(event: string): boolean {
    if (this.#isFull) return false;
    this.add(event);
    return true;
  }

  /** For what is short and has to be told, however much waits. */
  add(event: string): void {
    if (this.#isOver) return;
    this.#text += event;
    this.#flush();
  }

  /** Waits until another event would be taken; undefined where it is. */
  room(): Promise<void> | undefined {
    return this.#isFull ? (this.#room ??= new Room()).wait() : undefined;
  }

  /** Forgets what waits, for one event that says so. */
  replace(event: string): void {
    this.#text = event;
    this.#flush();
  }

  /** What waits is still read. */
  end(): void {
    this.#isOver = true;
    open.delete(this);
    this.#room?.free();
    this.#flush();
  }

  /** Where nothing waits and nothing was said for some beats. */
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
    this.#room?.free();
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
