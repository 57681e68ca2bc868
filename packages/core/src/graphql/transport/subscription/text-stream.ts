import type { BifocalError } from "../../../errors/bifocal-error.ts";
import type { EventListener, EventSource } from "./event-source.ts";
import type { FormatEvent } from "./shared-texts.ts";

/** Gets the results of a subscription as JSON text, in order. */
export interface TextListener {
  readonly next: (text: string) => void;
  /** As of a `ChangeListener`. */
  readonly room: () => Promise<void> | undefined;
  /** The subscription is over without `stop`. */
  readonly end: (error: BifocalError | undefined) => void;
}

/** An open subscription of one client. */
export class TextStream implements EventListener {
  readonly #source: EventSource;
  readonly #format: FormatEvent;
  readonly #release: () => void;
  readonly #listener: TextListener;
  /** Where a text has to be waited for, what comes behind it waits too. */
  #last: Promise<void> | undefined;
  #isOver = false;
  /** Nobody wants what is still being written. */
  #isStopped = false;

  /** `release` is called once, when it is over. */
  constructor(source: EventSource, format: FormatEvent, release: () => void, listener: TextListener) {
    this.#source = source;
    this.#format = format;
    this.#release = release;
    this.#listener = listener;
  }

  /** Lets results come: what waits, and then each as it happens. */
  start(): void {
    this.#source.listen(this);
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#isOver) return;
    this.#isOver = true;
    this.#release();
    void this.#source.return();
  }

  next(event: object): void {
    const text = this.#format(event);
    if (typeof text === "string" && this.#last === undefined) this.#listener.next(text);
    else this.#nextLater(text);
  }

  room(): Promise<void> | undefined {
    // What is still being written is not with the reader yet.
    return this.#last === undefined ? this.#listener.room() : this.#last.then(() => this.#listener.room());
  }

  end(error: BifocalError | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // What is still being written when it fails is not told: rights may have ended.
    this.#isStopped = error !== undefined;
    this.#release();
    if (this.#last === undefined) this.#listener.end(error);
    else void this.#last.then(() => this.#listener.end(error));
  }

  #nextLater(text: string | Promise<string>): void {
    const before = this.#last;
    const own = (async () => {
      await before;
      const written = await text;
      if (!this.#isStopped) this.#listener.next(written);
    })();
    this.#last = own;
    void own.then(() => {
      if (this.#last === own) this.#last = undefined;
    });
  }
}
